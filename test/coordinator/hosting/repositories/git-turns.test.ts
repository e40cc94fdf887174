import { expect, test } from 'vitest'

import { GitTurns } from '../../../../src/coordinator/hosting/repositories/git-turns.js'

const NEVER = new AbortController().signal

/** Whether it is the turn of somebody who has asked for one. */
async function isReady(turn: Promise<unknown>): Promise<boolean> {
  // Everything that is free now is handed out before the next turn of the event loop.
  const soon = new Promise((resolve) => setImmediate(() => setImmediate(() => resolve('later'))))
  return (await Promise.race([turn, soon])) !== 'later'
}

test('git runs for so many clients at once and no more; the next has the turn of the first who is done', async () => {
  const turns = new GitTurns({ processes: 2, perRepository: 2 })
  const first = await turns.take('/a', 'reading', NEVER)
  const second = await turns.take('/b', 'reading', NEVER)
  const third = turns.take('/c', 'reading', NEVER)
  const fourth = turns.take('/d', 'reading', NEVER)
  expect(await isReady(third)).toBe(false)
  first()
  first()
  expect([await isReady(third), await isReady(fourth)]).toEqual([true, false])
  second()
  expect(await isReady(fourth)).toBe(true)
})

test('one repository takes not all turns from the others', async () => {
  const turns = new GitTurns({ processes: 3, perRepository: 2 })
  const held = [await turns.take('/busy', 'reading', NEVER), await turns.take('/busy', 'reading', NEVER)]
  const waiting = turns.take('/busy', 'reading', NEVER)
  expect(await isReady(turns.take('/other', 'reading', NEVER))).toBe(true)
  expect(await isReady(waiting)).toBe(false)
  held[0]?.()
  expect(await isReady(waiting)).toBe(true)
})

test('those who push wait for nobody who reads', async () => {
  const turns = new GitTurns({ processes: 1, perRepository: 1 })
  await turns.take('/a', 'reading', NEVER)
  const reader = turns.take('/a', 'reading', NEVER)
  const pusher = turns.take('/a', 'writing', NEVER)
  expect([await isReady(reader), await isReady(pusher)]).toEqual([false, true])
})

test('who leaves while waiting leaves the turn to the next', async () => {
  const turns = new GitTurns({ processes: 1, perRepository: 1 })
  const first = await turns.take('/a', 'reading', NEVER)
  const leaving = new AbortController()
  const left = [turns.take('/a', 'reading', leaving.signal), turns.take('/b', 'reading', leaving.signal)]
  const next = turns.take('/b', 'reading', NEVER)
  leaving.abort()
  for (const turn of left) await expect(turn).rejects.toThrow('abort')
  first()
  expect(await isReady(next)).toBe(true)
})

test('where far too many wait, more are sent away at once', async () => {
  const turns = new GitTurns({ processes: 1, perRepository: 1 })
  for (let count = 0; count <= 2000; count++) void turns.take('/a', 'reading', new AbortController().signal)
  await expect(turns.take('/a', 'reading', NEVER)).rejects.toThrow('Too many requests wait for git')
  expect(await isReady(turns.take('/a', 'writing', NEVER))).toBe(true)
})
