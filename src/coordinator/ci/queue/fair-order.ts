import type { PartitionHead } from './partition.js'
import { orderByPriority } from './priority-order.js'

/** A job that a runner could take, and when it was queued. */
export interface NextJob {
  job_id: number
  queued_at: number
}

/** A partition with its oldest jobs, oldest first. */
export interface PartitionQueue {
  partition: PartitionHead
  jobs: readonly NextJob[]
}

/** A partition of which `limit` jobs at most can be among the next ones. */
export interface PartitionLimit {
  partition: PartitionHead
  limit: number
}

/**
 * The partitions that the next `count` jobs in fair order come from. `partitions` are in that order now. A job only moves
 * its own project back, so each project in front of another one gets a job before it.
 */
export function partitionsOfNext(partitions: readonly PartitionHead[], count: number): PartitionLimit[] {
  const rank = new Map<number, number>()
  for (const { project_id } of partitions) if (!rank.has(project_id)) rank.set(project_id, rank.size)
  return partitions
    .map((partition) => ({ partition, limit: count - (rank.get(partition.project_id) ?? 0) }))
    .filter(({ limit }) => limit > 0)
}

/**
 * The next `count` jobs in fair order, each as the head of its partition; fewer if there are no more. Each counts as running
 * for those after it, so they are what as many requests would get one after the other.
 */
export function nextInFairOrder(
  queues: readonly PartitionQueue[],
  running: ReadonlyMap<number, number>,
  { count, now }: { count: number; now: number },
): PartitionHead[] {
  const chosen: PartitionHead[] = []
  const counts = new Map(running)
  let heads = queues.flatMap((queue) => headOf(queue))
  while (chosen.length < count) {
    const [first] = orderByPriority(heads, counts, now)
    if (!first) return chosen
    chosen.push(first)
    counts.set(first.project_id, (counts.get(first.project_id) ?? 0) + 1)
    heads = heads.flatMap((head) => (head === first ? headOf({ partition: head, jobs: head.rest }) : [head]))
  }
  return chosen
}

interface Head extends PartitionHead {
  rest: readonly NextJob[]
}

function headOf({ partition, jobs: [first, ...rest] }: PartitionQueue): Head[] {
  return first ? [{ ...partition, ...first, rest }] : []
}
