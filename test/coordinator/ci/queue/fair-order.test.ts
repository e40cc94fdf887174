import { describe, expect, test } from 'vitest'

import {
  nextInFairOrder,
  type PartitionQueue,
  partitionsOfNext,
} from '../../../../src/coordinator/ci/queue/fair-order.js'
import { orderByPriority } from '../../../../src/coordinator/ci/queue/priority-order.js'
import { randomFrom } from '../engine/support/random.js'

const HOUR = 3600 * 1000
const NOW = 2 * HOUR

/** A partition whose jobs have these IDs. */
function queue(
  project_id: number,
  ids: readonly number[],
  { priority = 0, queuedAt = NOW }: { priority?: number; queuedAt?: number } = {},
): PartitionQueue {
  const jobs = ids.map((job_id) => ({ job_id, queued_at: queuedAt }))
  const key = { project_id, tag_set_id: priority, protected: false, instance_runners_allowed: true, priority }
  return { partition: { ...key, job_id: ids[0] ?? 0, queued_at: queuedAt }, jobs }
}

/** IDs of the next jobs. */
function next(queues: readonly PartitionQueue[], count: number, running: [number, number][] = []): number[] {
  return nextInFairOrder(queues, new Map(running), { count, now: NOW }).map(({ job_id }) => job_id)
}

describe('the next jobs in fair order', () => {
  test('come from the projects in turn', () => {
    expect(next([queue(1, [1, 2, 3]), queue(2, [4, 5]), queue(3, [6])], 6)).toEqual([1, 4, 6, 2, 5, 3])
  })

  test('come first from the project that runs the fewest', () => {
    expect(next([queue(1, [1, 2]), queue(2, [3, 4, 5])], 4, [[1, 2]])).toEqual([3, 4, 1, 5])
  })

  test('are ordered by priority within their project only', () => {
    expect(next([queue(1, [1, 2]), queue(1, [5], { priority: 9 }), queue(2, [3])], 4)).toEqual([5, 3, 1, 2])
  })

  test('of a project begin with those that have waited for more than an hour', () => {
    const old = queue(1, [1], { queuedAt: NOW - HOUR - 1 })
    expect(next([old, queue(1, [2], { priority: 9 })], 2)).toEqual([1, 2])
  })

  test('are fewer than asked for when the queue ends', () => {
    expect(next([queue(1, [1]), queue(2, [])], 3)).toEqual([1])
  })

  test('are the same as one after the other, found in the partitions of the next ones alone', () => {
    const below = randomFrom(20_261_126)
    for (let round = 0; round < 300; round++) {
      const ids: number[][] = Array.from({ length: 1 + below(6) }, () => [])
      for (let id = 1; id <= 20; id++) ids[below(ids.length)]?.push(id)
      const queues = ids
        .filter(({ length }) => length > 0)
        .map((some) => queue(1 + below(4), some, { priority: below(3), queuedAt: NOW - below(2) * 2 * HOUR }))
      const running = new Map([1, 2, 3, 4].map((project) => [project, below(4)]))
      const count = 1 + below(8)
      const heads = queues.map(({ partition }) => partition)
      const limits = partitionsOfNext(orderByPriority(heads, running, NOW), count)
      const cut = limits.map(({ partition, limit }) => ({
        partition,
        jobs: (queues.find((one) => one.partition === partition)?.jobs ?? []).slice(0, limit),
      }))
      expect(next(cut, count, [...running])).toEqual(oneByOne(queues, running, count))
    }
  })
})

/** What single requests get, each of which reads the heads of all partitions. */
function oneByOne(
  queues: readonly PartitionQueue[],
  running: ReadonlyMap<number, number>,
  count: number,
): number[] {
  const rest = queues.map(({ partition, jobs }) => ({ partition, jobs: [...jobs] }))
  const counts = new Map(running)
  const given: number[] = []
  while (given.length < count) {
    const heads = rest.flatMap(({ partition, jobs: [job] }) => (job ? [{ ...partition, ...job }] : []))
    const [head] = orderByPriority(heads, counts, NOW)
    if (!head) return given
    given.push(head.job_id)
    counts.set(head.project_id, (counts.get(head.project_id) ?? 0) + 1)
    rest.find(({ jobs: [job] }) => job?.job_id === head.job_id)?.jobs.shift()
  }
  return given
}
