import { expect, test } from 'vitest'

import { GitSemaphore } from '../../../../src/coordinator/hosting/repositories/git-semaphore.js'

const NEVER = new AbortController().signal

/** Whether a requested slot has been granted. */
async function isReady(slot: Promise<unknown>): Promise<boolean> {
  // All free slots are assigned before the next turn of the event loop.
  const soon = new Promise((resolve) => setImmediate(() => setImmediate(() => resolve('later'))))
  return (await Promise.race([slot, soon])) !== 'later'
}

test('git runs for a limited number of clients; the next one gets the first slot released', async () => {
  const semaphore = new GitSemaphore({ processes: 2, perRepository: 2 })
  const first = await semaphore.acquire('/a', 'reading', NEVER)
  const second = await semaphore.acquire('/b', 'reading', NEVER)
  const third = semaphore.acquire('/c', 'reading', NEVER)
  const fourth = semaphore.acquire('/d', 'reading', NEVER)
  expect(await isReady(third)).toBe(false)
  first()
  first()
  expect([await isReady(third), await isReady(fourth)]).toEqual([true, false])
  second()
  expect(await isReady(fourth)).toBe(true)
})

test('the wait for a slot and the time until its release are reported once', async () => {
  const reported: unknown[] = []
  const semaphore = new GitSemaphore(
    { processes: 1, perRepository: 1 },
    {
      waited: (pool) => reported.push(['waited', pool]),
      worked: (pool) => reported.push(['worked', pool]),
    },
  )
  const release = await semaphore.acquire('/a', 'inner', NEVER)
  expect(reported).toEqual([['waited', 'inner']])
  release()
  release()
  expect(reported).toEqual([
    ['waited', 'inner'],
    ['worked', 'inner'],
  ])
})

test('one repository takes not all semaphore from the others', async () => {
  const semaphore = new GitSemaphore({ processes: 3, perRepository: 2 })
  const held = [
    await semaphore.acquire('/busy', 'reading', NEVER),
    await semaphore.acquire('/busy', 'reading', NEVER),
  ]
  const waiting = semaphore.acquire('/busy', 'reading', NEVER)
  expect(await isReady(semaphore.acquire('/other', 'reading', NEVER))).toBe(true)
  expect(await isReady(waiting)).toBe(false)
  held[0]?.()
  expect(await isReady(waiting)).toBe(true)
})

test('pushes do not wait for reads', async () => {
  const semaphore = new GitSemaphore({ processes: 1, perRepository: 1 })
  await semaphore.acquire('/a', 'reading', NEVER)
  const reader = semaphore.acquire('/a', 'reading', NEVER)
  const pusher = semaphore.acquire('/a', 'writing', NEVER)
  expect([await isReady(reader), await isReady(pusher)]).toEqual([false, true])
})

test('a client that disconnects while waiting leaves the slot to the next one', async () => {
  const semaphore = new GitSemaphore({ processes: 1, perRepository: 1 })
  const first = await semaphore.acquire('/a', 'reading', NEVER)
  const leaving = new AbortController()
  const left = [
    semaphore.acquire('/a', 'reading', leaving.signal),
    semaphore.acquire('/b', 'reading', leaving.signal),
  ]
  const next = semaphore.acquire('/b', 'reading', NEVER)
  leaving.abort()
  for (const slot of left) await expect(slot).rejects.toThrow('abort')
  first()
  expect(await isReady(next)).toBe(true)
})

test('where far too many wait, more are sent away at once', async () => {
  const semaphore = new GitSemaphore({ processes: 1, perRepository: 1 })
  for (let count = 0; count <= 2000; count++)
    void semaphore.acquire('/a', 'reading', new AbortController().signal)
  await expect(semaphore.acquire('/a', 'reading', NEVER)).rejects.toThrow('Too many git requests are waiting')
  expect(await isReady(semaphore.acquire('/a', 'writing', NEVER))).toBe(true)
})
