import type { Database } from '../../database/connect.js'
import {
  findAllPartitionHeads,
  findPartitionHeadsOfRunner,
  type PartitionKind,
} from './find-partition-heads.js'
import { fits, type RunnerProfile } from './match.js'
import type { PartitionHead } from './partition.js'
import { orderByPriority } from './priority-order.js'
import { countRunningOnInstanceRunners } from './running-jobs.js'
import type { TagSets } from './tag-sets.js'

export interface PartitionDeps {
  /** May also be a transaction that has not stored tags itself. */
  database: Database
  tagSets: TagSets
}

/**
 * Whether any job in the queue is for this runner of the instance, by the kinds of jobs in it: cheaper than its partitions,
 * which are many.
 */
export async function hasInstanceJobs(
  tagSets: TagSets,
  kinds: readonly PartitionKind[],
  runner: RunnerProfile,
): Promise<boolean> {
  const tags = await tagSets.read(kinds.map((kind) => kind.tag_set_id))
  return kinds.some(
    (kind) =>
      kind.instance_runners_allowed &&
      fits(runner, { tags: tags.get(kind.tag_set_id) ?? [], protected: kind.protected }),
  )
}

/** Partitions with jobs that the runner may take, in the order in which to serve them. */
export async function partitionsInOrder(
  deps: PartitionDeps,
  runner: RunnerProfile,
  now = Date.now(),
): Promise<PartitionHead[]> {
  const heads = await fittingPartitions(deps, runner)
  if (heads.length < 2) return heads
  const running =
    runner.type === 'instance_type' ? await countRunningOnInstanceRunners(deps.database) : new Map()
  return orderByPriority(heads, running, now)
}

/** Partitions with jobs that the runner may take, in any order. `all`: those of all projects, if they have been read. */
export async function fittingPartitions(
  { database, tagSets }: PartitionDeps,
  runner: RunnerProfile,
  all?: readonly PartitionHead[],
): Promise<PartitionHead[]> {
  const heads = all ? headsForInstance(runner, all) : await headsInScope(database, runner)
  const tags = await tagSets.read(
    heads.map((head) => head.tag_set_id),
    database,
  )
  return heads.filter((head) =>
    fits(runner, { tags: tags.get(head.tag_set_id) ?? [], protected: head.protected }),
  )
}

async function headsInScope(database: Database, runner: RunnerProfile): Promise<PartitionHead[]> {
  if (!runner.active) return []
  switch (runner.type) {
    case 'instance_type':
      return headsForInstance(runner, await findAllPartitionHeads(database))
    case 'project_type':
    case 'group_type':
      return findPartitionHeadsOfRunner(database, runner.runnerId, runner.type)
  }
}

function headsForInstance(runner: RunnerProfile, all: readonly PartitionHead[]): PartitionHead[] {
  return runner.active ? all.filter((head) => head.instance_runners_allowed) : []
}
