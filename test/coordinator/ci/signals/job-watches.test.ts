import { expect, test } from 'vitest'

import { JobWatches } from '../../../../src/coordinator/ci/signals/job-watches.js'
import { deferred } from '../../../../src/lib/deferred.js'

const NEVER = new AbortController().signal

function openWatches() {
  const announced: number[][] = []
  const lost: unknown[] = []
  const watches = new JobWatches({
    notifyOthers: (jobIds) => {
      announced.push(jobIds)
      return jobIds[0] === 13 ? Promise.reject(new Error('cut off')) : Promise.resolve()
    },
    onLost: (error) => lost.push(error),
  })
  return { watches, announced, lost }
}

test('notifies every local watcher of the job, and other coordinators', async () => {
  const { watches, announced } = openWatches()
  const [one, two, other] = [watches.watch(1), watches.watch(1), watches.watch(2)]
  const waits = [one.next(NEVER, 60_000), two.next(NEVER, 60_000), other.next(NEVER, 1)]
  watches.notify(1)
  expect(await Promise.all(waits)).toEqual(['changed', 'changed', 'timeout'])
  await watches.stop()
  expect(announced).toEqual([[1]])
})

test('a notification between two waits is not lost and is delivered once', async () => {
  const { watches } = openWatches()
  const watch = watches.watch(1)
  watches.receive([1])
  expect(await watch.next(NEVER, 60_000)).toBe('changed')
  expect(await watch.next(NEVER, 1)).toBe('timeout')
})

test('changes of jobs without a local watch are broadcast, also after the watch was closed', async () => {
  const { watches, announced } = openWatches()
  const watch = watches.watch(1)
  watch.close()
  watch.close()
  watches.notify(1)
  await watches.stop()
  expect(announced).toEqual([[1]])
})

test('jobs that change together, or during a notification, share one', async () => {
  const announced: number[][] = []
  const sent = deferred()
  const watches = new JobWatches({
    notifyOthers: (jobIds) => {
      announced.push(jobIds)
      return sent.promise
    },
    onLost: () => undefined,
  })
  for (const jobId of [1, 2]) watches.notify(jobId)
  await Promise.resolve()
  for (const jobId of [3, 4, 3]) watches.notify(jobId)
  sent.resolve()
  await watches.stop()
  expect(announced).toEqual([
    [1, 2],
    [3, 4],
  ])
})

test('a job that changes while a notification ends is announced, however close to the end', async () => {
  for (let steps = 0; steps < 12; steps++) {
    const announced: number[] = []
    const watches = new JobWatches({
      notifyOthers: async (jobIds) => void announced.push(...jobIds),
      onLost: () => undefined,
    })
    watches.notify(1)
    for (let step = 0; step < steps; step++) await Promise.resolve()
    watches.notify(2)
    await watches.stop()
    expect(announced).toEqual([1, 2])
  }
})

test('notifies every watcher when notifications may have been lost', async () => {
  const { watches } = openWatches()
  const waits = [watches.watch(1), watches.watch(2)].map((watch) => watch.next(NEVER, 60_000))
  watches.wakeAll()
  expect(await Promise.all(waits)).toEqual(['changed', 'changed'])
})

test('the listener is called for local and remote changes, and when notifications may have been lost', () => {
  const { watches } = openWatches()
  const calls: unknown[] = []
  watches.listen({ onChanged: (jobId) => calls.push(jobId), onMissed: () => calls.push('missed') })
  watches.notify(1)
  watches.receive([2, 3])
  watches.wakeAll()
  expect(calls).toEqual([1, 2, 3, 'missed'])
})

test('a client that goes away ends its wait', async () => {
  const { watches } = openWatches()
  const gone = new AbortController()
  const wait = watches.watch(1).next(gone.signal, 60_000)
  gone.abort()
  expect(await wait).toBe('aborted')
})

test('a failed notification is reported', async () => {
  const { watches, lost } = openWatches()
  watches.notify(13)
  await watches.stop()
  expect(lost).toEqual([new Error('cut off')])
})
