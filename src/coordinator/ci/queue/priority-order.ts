import { HOUR } from '../../../lib/time-units.js'
import type { PartitionHead } from './partition.js'

/**
 * A job that waits longer than this precedes other jobs of its project, regardless of priority. Milliseconds.
 */
const OVERTAKEN_FOR_AT_MOST = HOUR

/**
 * Orders by project first: the project with the fewest jobs in `running`, then the one with the oldest job
 * (CI language, 14.2). Priorities decide only between jobs of the same project, so they never delay other
 * projects.
 */
export function orderByPriority<Head extends PartitionHead>(
  heads: readonly Head[],
  running: ReadonlyMap<number, number>,
  now: number,
): Head[] {
  return byProject(heads)
    .map((partitions) => ({
      running: running.get(partitions[0].project_id) ?? 0,
      oldest: Math.min(...partitions.map((head) => head.job_id)),
      partitions: partitions.sort((a, b) => urgency(b, now) - urgency(a, now) || a.job_id - b.job_id),
    }))
    .sort((a, b) => a.running - b.running || a.oldest - b.oldest)
    .flatMap(({ partitions }) => partitions)
}

function byProject<Head extends PartitionHead>(heads: readonly Head[]): [Head, ...Head[]][] {
  const projects = new Map<number, [Head, ...Head[]]>()
  for (const head of heads) {
    const partitions = projects.get(head.project_id)
    if (partitions) partitions.push(head)
    else projects.set(head.project_id, [head])
  }
  return [...projects.values()]
}

function urgency({ priority, queued_at }: PartitionHead, now: number): number {
  return now - queued_at > OVERTAKEN_FOR_AT_MOST ? Number.MAX_SAFE_INTEGER : priority
}
