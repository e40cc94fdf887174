import { sql } from 'kysely'

import type { Database } from '../../../database/connect.js'
import type { Lane } from '../lanes.js'
import { type JobProfile, type KindProfile, mayTake } from '../match.js'
import { countRunningOnInstanceRunners } from '../running-jobs.js'
import { TagSets } from '../tag-sets.js'
import type { QueuedJob } from '../waiting-request.js'
import { type Competition, placeInQueue } from './place-in-queue.js'
import { kindsWithAllProjects } from './runner-kinds.js'
import type { RunnerKind } from './why-it-waits.js'

/** A lane with how many jobs are in it, and how many of them are older than the job that is asked about. */
interface CountedLane extends Lane {
  full_path: string
  group_runners_enabled: boolean
  jobs: number
  older: number
}

/**
 * The place in the queue, from 1, of a job that runners of these kinds may take; reads the whole index of the queue
 * once.
 */
export async function findPlace(
  database: Database,
  job: QueuedJob,
  kinds: RunnerKind[],
  now: number,
): Promise<number> {
  const profiles = await withAllProjects(database, job, kinds, now)
  const lanes = await competingLanes(database, job, profiles)
  const running = await countRunningOnInstanceRunners(database)
  const own = lanes.filter((lane) => lane.project_id === job.projectId)
  const contender = {
    projectId: job.projectId,
    before: own.reduce((sum, lane) => sum + before(lane, job.priority), 0),
    running: running.get(job.projectId) ?? 0,
  }
  const others = byProject(
    lanes.filter((lane) => lane.project_id !== job.projectId),
    running,
  )
  return placeInQueue(contender, others, new Set(profiles.map(({ type }) => type)))
}

/** Runners of projects compete for the jobs of their other projects too. */
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

function before({ priority, jobs, older }: CountedLane, ownPriority: number): number {
  if (priority > ownPriority) return jobs
  return priority === ownPriority ? older : 0
}

async function competingLanes(
  database: Database,
  job: QueuedJob,
  runners: KindProfile[],
): Promise<CountedLane[]> {
  const lanes = await countLanes(database, job.jobId)
  const tags = await new TagSets(database).read(lanes.map((lane) => lane.tag_set_id))
  return lanes.filter((lane) => {
    const profile = profileOf(lane, tags.get(lane.tag_set_id) ?? [])
    return runners.some((runner) => mayTake(runner, profile))
  })
}

function profileOf(lane: CountedLane, tags: readonly string[]): JobProfile {
  return {
    projectId: lane.project_id,
    projectPath: lane.full_path,
    tags,
    protected: lane.protected,
    instanceRunnersAllowed: lane.instance_runners_allowed,
    groupRunnersAllowed: lane.group_runners_enabled,
  }
}

async function countLanes(database: Database, jobId: number): Promise<CountedLane[]> {
  const { rows } = await sql<CountedLane>`
    select lane.*, project.full_path, project.group_runners_enabled
    from (
      select project_id, tag_set_id, protected, instance_runners_allowed, priority, count(*) as jobs,
        sum(case when job_id < ${jobId} then 1 else 0 end) as older
      from queue_entry
      group by project_id, tag_set_id, protected, instance_runners_allowed, priority
    ) lane
    join project on project.id = lane.project_id`.execute(database)
  return rows
}

function byProject(lanes: CountedLane[], running: ReadonlyMap<number, number>): Competition[] {
  const projects = new Map<number, Competition>()
  for (const { project_id, jobs, older } of lanes) {
    const sum = projects.get(project_id)
    projects.set(project_id, {
      jobs: (sum?.jobs ?? 0) + jobs,
      older: (sum?.older ?? 0) + older,
      running: running.get(project_id) ?? 0,
    })
  }
  return [...projects.values()]
}
