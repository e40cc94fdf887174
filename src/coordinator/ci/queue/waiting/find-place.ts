import { sql } from 'kysely'

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

/**
 * The position in the queue, from 1, of a job that runners of these kinds may take. Reads the whole index of
 * the queue once.
 */
export async function findPlace(
  database: Database,
  job: QueuedJob,
  kinds: RunnerKind[],
  now: number,
): Promise<number> {
  const profiles = await withAllProjects(database, job, kinds, now)
  const partitions = await competingPartitions(database, job, profiles)
  const running = await countRunningOnInstanceRunners(database)
  const own = partitions.filter((partition) => partition.project_id === job.projectId)
  const contender = {
    projectId: job.projectId,
    before: own.reduce((sum, partition) => sum + before(partition, job.priority), 0),
    running: running.get(job.projectId) ?? 0,
  }
  const others = byProject(
    partitions.filter((partition) => partition.project_id !== job.projectId),
    running,
  )
  return placeInQueue(contender, others, new Set(profiles.map(({ type }) => type)))
}

/** Project runners also serve other projects, whose jobs compete. */
async function withAllProjects(
  database: Database,
  job: QueuedJob,
  kinds: RunnerKind[],
  now: number,
): Promise<KindProfile[]> {
  const shared = kinds.map(({ profile }) => profile).filter(({ type }) => type !== 'project_type')
  if (shared.length === kinds.length) return shared
  const ofProject = await kindsWithAllProjects(database, job.projectId, now)
  return [...shared, ...ofProject.filter((profile) => mayTake(profile, job))]
}

function before({ priority, jobs, older }: CountedPartition, ownPriority: number): number {
  if (priority > ownPriority) return jobs
  return priority === ownPriority ? older : 0
}

async function competingPartitions(
  database: Database,
  job: QueuedJob,
  runners: KindProfile[],
): Promise<CountedPartition[]> {
  const partitions = await countPartitions(database, job.jobId)
  const tags = await new TagSets(database).read(partitions.map((partition) => partition.tag_set_id))
  return partitions.filter((partition) => {
    const profile = profileOf(partition, tags.get(partition.tag_set_id) ?? [])
    return runners.some((runner) => mayTake(runner, profile))
  })
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

async function countPartitions(database: Database, jobId: number): Promise<CountedPartition[]> {
  const { rows } = await sql<CountedPartition>`
    select partition.*, project.full_path, project.group_runners_enabled
    from (
      select project_id, tag_set_id, protected, instance_runners_allowed, priority, count(*) as jobs,
        sum(case when job_id < ${jobId} then 1 else 0 end) as older
      from queue_entry
      group by project_id, tag_set_id, protected, instance_runners_allowed, priority
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
