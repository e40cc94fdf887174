import { describe, expect, test } from 'vitest'

import { lengthFor, repeatedPairs } from './grammar.js'
import { diffs } from './grammars/diffs.js'
import { expressions } from './grammars/expressions.js'
import { logs } from './grammars/logs.js'
import { planning } from './grammars/planning.js'
import { search } from './grammars/search.js'
import { longestTurn } from './longest-turn.js'

// Texts of a user are read on the event loop. Whatever two things of their grammar are repeated, reading them must take
// time in proportion to their length: what takes more takes minutes at a longer one.

/** Of one turn of the event loop. */
const MAX_MILLISECONDS = 100

const GRAMMARS = { planning, logs, diffs, expressions, search }

describe.each(Object.entries(GRAMMARS))('%s', (_, { tokens, readers }) => {
  test.each(Object.entries(readers))('%s: read in time, whatever is repeated', async (_name, reader) => {
    const slow: string[] = []
    for (const { unit, text } of repeatedPairs(tokens, lengthFor(reader))) {
      const time = await longestTurn(() => reader.read(text), MAX_MILLISECONDS)
      if (time > MAX_MILLISECONDS) slow.push(`${JSON.stringify(unit)}: ${Math.round(time)} ms`)
    }
    expect(slow).toEqual([])
  })
})

test('a reader that takes quadratic time is found', async () => {
  const text = 'a'.repeat(32 * 1024)
  expect(await longestTurn(() => /a*b/.test(text), MAX_MILLISECONDS)).toBeGreaterThan(MAX_MILLISECONDS)
})
