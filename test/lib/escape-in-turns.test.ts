import { setImmediate as nextTurn } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { escapeInTurns } from '../../src/lib/escape-in-turns.js'
import { escapeMarkup } from '../../src/lib/escape-markup.js'
import { renderMarkdown } from '../../src/lib/markdown/render-markdown.js'

/** Fewer than the pieces of the text, and far more than a text takes that is escaped at once. */
const MIN_TURNS = 10
const LONG = '<a>&"é\u{1f600}\n'.repeat(2 ** 20 / 10)

/** How many turns the event loop takes until the work has ended. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  const state = { isDone: false }
  const ended = work.finally(() => (state.isDone = true))
  let turns = 0
  for (; !state.isDone; turns++) await nextTurn()
  await ended
  return turns
}

test('a long text is escaped as a short one is', async () => {
  expect(await escapeInTurns(LONG)).toBe(escapeMarkup(LONG))
  expect(await escapeInTurns('')).toBe('')
})

test('others are served while a long text is escaped', async () => {
  expect(await turnsDuring(escapeInTurns(LONG))).toBeGreaterThanOrEqual(MIN_TURNS)
})

test('others are served while a text is escaped that is too long to be formatted', async () => {
  expect(await turnsDuring(renderMarkdown(LONG))).toBeGreaterThanOrEqual(MIN_TURNS)
})
