import { type RawBuilder, sql } from 'kysely'

import type { Database, DialectName } from '../../database/connect.js'
import { findAllPartitionHeads, findKinds, findPartitionHeadsOfProjects } from './find-partition-heads.js'
import { fits, type RunnerProfile } from './match.js'
import type { PartitionHead } from './partition.js'
import { countRunningOnInstanceRunners } from './running-jobs.js'
import type { TagSets } from './tag-sets.js'

/**
 * A job that waits longer than this precedes other jobs of its project, regardless of priority. Milliseconds.
 */
const OVERTAKEN_FOR_AT_MOST = 3600 * 1000

export interface PartitionDeps {
  /** Or a transaction that has stored no tags itself. */
  database: Database
  dialect: DialectName
  tagSets: TagSets
}

/** Whether any job in the queue is for this runner of the instance: cheaper than its partitions, which are many. */
export async function hasInstanceJobs(
  { database, dialect, tagSets }: PartitionDeps,
  runner: RunnerProfile,
): Promise<boolean> {
  const kinds = await findKinds(database, dialect)
  const tags = await tagSets.read(
    kinds.map((kind) => kind.tag_set_id),
    database,
  )
  return kinds.some(
    (kind) =>
      kind.instance_runners_allowed &&
      fits(runner, { tags: tags.get(kind.tag_set_id) ?? [], protected: kind.protected }),
  )
}

/** Partitions with jobs that the runner may take, in the order in which to serve them. */
export async function partitionsInOrder(
  { database, dialect, tagSets }: PartitionDeps,
  runner: RunnerProfile,
  now = Date.now(),
): Promise<PartitionHead[]> {
  const heads = await headsInScope(database, dialect, runner)
  const tags = await tagSets.read(
    heads.map((head) => head.tag_set_id),
    database,
  )
  const fitting = heads.filter((head) =>
    fits(runner, { tags: tags.get(head.tag_set_id) ?? [], protected: head.protected }),
  )
  if (fitting.length < 2) return fitting
  const running = runner.type === 'instance_type' ? await countRunningOnInstanceRunners(database) : new Map()
  return inOrder(fitting, running, now)
}

/**
 * Orders by project first: the project with the fewest jobs in `running`, then the one with the oldest job
 * (CI language, 14.2). Priorities decide only between jobs of the same project, so they never delay other
 * projects.
 */
export function inOrder(
  heads: readonly PartitionHead[],
  running: ReadonlyMap<number, number>,
  now: number,
): PartitionHead[] {
  return byProject(heads)
    .map((partitions) => ({
      running: running.get(partitions[0].project_id) ?? 0,
      oldest: Math.min(...partitions.map((head) => head.job_id)),
      partitions: partitions.sort((a, b) => urgency(b, now) - urgency(a, now) || a.job_id - b.job_id),
    }))
    .sort((a, b) => a.running - b.running || a.oldest - b.oldest)
    .flatMap(({ partitions }) => partitions)
}

type QueuePartitions = [PartitionHead, ...PartitionHead[]]

function byProject(heads: readonly PartitionHead[]): QueuePartitions[] {
  const projects = new Map<number, QueuePartitions>()
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

async function headsInScope(
  database: Database,
  dialect: DialectName,
  runner: RunnerProfile,
): Promise<PartitionHead[]> {
  if (!runner.active) return []
  switch (runner.type) {
    case 'instance_type':
      return (await findAllPartitionHeads(database, dialect)).filter((head) => head.instance_runners_allowed)
    case 'project_type':
      return findPartitionHeadsOfProjects(database, dialect, projectsOfRunner(runner.runnerId))
    case 'group_type':
      return runner.groupPath === undefined
        ? []
        : findPartitionHeadsOfProjects(database, dialect, projectsIn(runner.groupPath))
  }
}

function projectsOfRunner(runnerId: number): RawBuilder<unknown> {
  return sql`select project_id as id from runner_project where runner_id = ${runnerId}`
}

/** The projects of the group and its subgroups that allow group runners. */
function projectsIn(groupPath: string): RawBuilder<unknown> {
  const inside = `${groupPath}/`
  return sql`
    select project.id from namespace join project on project.namespace_id = namespace.id
    where project.group_runners_enabled
      and (namespace.full_path = ${groupPath} or substr(namespace.full_path, 1, ${inside.length}) = ${inside})`
}
