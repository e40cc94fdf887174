import { sql } from 'kysely'

import { chunks } from '../../../../lib/chunks.js'
import type { Database } from '../../../database/connect.js'
import { type JobProfile, type KindProfile, mayTake } from '../match.js'
import type { QueuePartition } from '../partition.js'
import { countRunningOnInstanceRunners } from '../running-jobs.js'
import { TagSets } from '../tag-sets.js'
import type { QueuedJob } from '../waiting-request.js'
import type { RunnerKind } from './pending-reason.js'
import { type Competition, placeInQueue } from './place-in-queue.js'
import { kindsWithAllProjects } from './runner-kinds.js'

/** A partition with its number of jobs, and the number of jobs that are older than the given job. */
interface CountedPartition extends QueuePartition {
  full_path: string
  group_runners_enabled: boolean
  jobs: number
  older: number
}

/** The jobs of a partition between two of the given jobs. */
interface PartitionPart extends Omit<CountedPartition, 'older'> {
  /** Number of given jobs that are not younger. */
  part: number
}

/** A queued job with the kinds of runners that may take it. */
export interface TakeableJob {
  job: QueuedJob
  kinds: RunnerKind[]
}

/** Keeps the statement small. */
const JOBS_PER_QUERY = 200

/** The positions of jobs in the queue, from 1, by job. Reads the whole index of the queue once. */
export async function findPositions(
  database: Database,
  jobs: readonly TakeableJob[],
  now: number,
): Promise<Map<number, number>> {
  const positions = new Map<number, number>()
  const running = await countRunningOnInstanceRunners(database)
  const profilesOfProject = new Map<number, Promise<KindProfile[]>>()
  for (const some of chunks(jobs, JOBS_PER_QUERY)) {
    const ids = some.map(({ job }) => job.jobId).toSorted((one, other) => one - other)
    const parts = await countParts(database, ids)
    const tags = await new TagSets(database).read(parts.map((part) => part.tag_set_id))
    for (const { job, kinds } of some) {
      const profiles = await withAllProjects(job, kinds)
      const partitions = partitionsFor(ids.indexOf(job.jobId), parts).filter((partition) =>
        profiles.some((runner) =>
          mayTake(runner, profileOf(partition, tags.get(partition.tag_set_id) ?? [])),
        ),
      )
      positions.set(job.jobId, placeAmong(job, partitions, { profiles, running }))
    }
  }
  return positions

  /** Project runners also serve other projects, whose jobs compete. */
  async function withAllProjects(job: QueuedJob, kinds: RunnerKind[]): Promise<KindProfile[]> {
    const shared = kinds.map(({ profile }) => profile).filter(({ type }) => type !== 'project_type')
    if (shared.length === kinds.length) return shared
    const { projectId } = job
    const found = profilesOfProject.get(projectId) ?? kindsWithAllProjects(database, projectId, now)
    profilesOfProject.set(projectId, found)
    return [...shared, ...(await found).filter((profile) => mayTake(profile, job))]
  }
}

function placeAmong(
  { projectId, priority }: QueuedJob,
  partitions: readonly CountedPartition[],
  { profiles, running }: { profiles: readonly KindProfile[]; running: ReadonlyMap<number, number> },
): number {
  const own = partitions.filter((partition) => partition.project_id === projectId)
  const contender = {
    projectId,
    before: own.reduce((sum, partition) => sum + before(partition, priority), 0),
    running: running.get(projectId) ?? 0,
  }
  const others = byProject(
    partitions.filter((partition) => partition.project_id !== projectId),
    running,
  )
  return placeInQueue(contender, others, new Set(profiles.map(({ type }) => type)))
}

/** The partitions as the given job with this index sees them. */
function partitionsFor(index: number, parts: readonly PartitionPart[]): CountedPartition[] {
  const partitions = new Map<string, CountedPartition>()
  for (const { part, ...rest } of parts) {
    const { project_id, tag_set_id, instance_runners_allowed, priority } = rest
    const key = [project_id, tag_set_id, rest.protected, instance_runners_allowed, priority].join(' ')
    const known = partitions.get(key)
    partitions.set(key, {
      ...rest,
      jobs: (known?.jobs ?? 0) + rest.jobs,
      older: (known?.older ?? 0) + (part <= index ? rest.jobs : 0),
    })
  }
  return [...partitions.values()]
}

function before({ priority, jobs, older }: CountedPartition, ownPriority: number): number {
  if (priority > ownPriority) return jobs
  return priority === ownPriority ? older : 0
}

function profileOf(partition: CountedPartition, tags: readonly string[]): JobProfile {
  return {
    projectId: partition.project_id,
    projectPath: partition.full_path,
    tags,
    protected: partition.protected,
    instanceRunnersAllowed: partition.instance_runners_allowed,
    groupRunnersAllowed: partition.group_runners_enabled,
  }
}

/** `ids` are in ascending order. */
async function countParts(database: Database, ids: readonly number[]): Promise<PartitionPart[]> {
  const isBelow = ids.map((id, index) => sql`when job_id < ${id} then ${sql.lit(index)}`)
  const part = sql`case ${sql.join(isBelow, sql` `)} else ${sql.lit(ids.length)} end`
  const { rows } = await sql<PartitionPart>`
    select partition.*, project.full_path, project.group_runners_enabled
    from (
      select project_id, tag_set_id, protected, instance_runners_allowed, priority, part, count(*) as jobs
      from (select queue_entry.*, ${part} as part from queue_entry) entry
      group by project_id, tag_set_id, protected, instance_runners_allowed, priority, part
    ) partition
    join project on project.id = partition.project_id`.execute(database)
  return rows
}

function byProject(partitions: CountedPartition[], running: ReadonlyMap<number, number>): Competition[] {
  const projects = new Map<number, Competition>()
  for (const { project_id, jobs, older } of partitions) {
    const sum = projects.get(project_id)
    projects.set(project_id, {
      jobs: (sum?.jobs ?? 0) + jobs,
      older: (sum?.older ?? 0) + older,
      running: running.get(project_id) ?? 0,
    })
  }
  return [...projects.values()]
}
