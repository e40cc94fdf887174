import fc from 'fast-check'
import { expect, test } from 'vitest'

import { ByteAutomaton } from '../../src/masking/byte-automaton.js'
import { fuzzRuns } from '../support/fuzz-runs.js'

/** Few letters, so that patterns overlap each other and the text resembles them. */
const letters = fc.constantFrom('a', 'b', 'A', 'B', '-')
const textOf = (minLength: number, maxLength: number) =>
  fc.array(letters, { minLength, maxLength }).map((chars) => chars.join(''))

const patternLists = fc.oneof(
  fc.array(textOf(1, 6), { maxLength: 4 }),
  fc.array(textOf(4, 9), { minLength: 1, maxLength: 4 }),
)

/** The text contains patterns, also split over chunks. */
const searches = patternLists.chain((patterns) => {
  const piece = fc.oneof(textOf(0, 12), ...patterns.map((pattern) => fc.constant(pattern)))
  const chunk = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''))
  const halves = fc.tuple(chunk, fc.nat(40)).map(([text, at]) => [text.slice(0, at), text.slice(at)])
  return fc.record({
    patterns: fc.constant(patterns),
    chunks: fc.array(halves, { maxLength: 3 }).map((parts) => parts.flat()),
    ignoreCase: fc.boolean(),
  })
})

test('every occurrence is found at its end, with the longest pattern that ends there', () => {
  fc.assert(
    fc.property(searches, ({ patterns, chunks, ignoreCase }) => {
      const wanted = ignoreCase ? patterns.map((pattern) => pattern.toLowerCase()) : patterns
      expect(found(wanted, chunks, ignoreCase)).toEqual(ends(wanted, chunks.join(''), ignoreCase))
    }),
    fuzzRuns(500),
  )
})

test('text that resembles no pattern is skipped up to an occurrence', () => {
  const patterns = ['glpat-1234567890', 'a longer one that is hidden']
  const text = `${'one line of text\n'.repeat(500)}glpat-1234567890${' and more'.repeat(20)}`
  expect(found(patterns, [text], false)).toEqual([[500 * 17 + 16, 16]])
})

/** Pairs of the end of an occurrence and its length. */
function found(patterns: string[], chunks: string[], ignoreCase: boolean): [number, number][] {
  const automaton = new ByteAutomaton(
    patterns.map((pattern) => Buffer.from(pattern)),
    { ignoreCase },
  )
  const results: [number, number][] = []
  let before = 0
  let state = ByteAutomaton.ROOT
  for (const chunk of chunks.map((text) => Buffer.from(text))) {
    for (let index = 0; index < chunk.length;) {
      const progress = automaton.scan(chunk, index, state)
      ;({ index, state } = progress)
      if (progress.isMatch) results.push([before + index, automaton.matchLength(state)])
    }
    before += chunk.length
  }
  return results
}

function ends(patterns: string[], text: string, ignoreCase: boolean): [number, number][] {
  const read = ignoreCase ? text.toLowerCase() : text
  const results: [number, number][] = []
  for (let end = 1; end <= text.length; end++) {
    const lengths = patterns
      .filter((pattern) => read.slice(0, end).endsWith(pattern))
      .map(({ length }) => length)
    if (lengths.length > 0) results.push([end, Math.max(...lengths)])
  }
  return results
}
