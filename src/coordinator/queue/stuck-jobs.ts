import type { Database } from '../database/connect.js'
import type { Lane } from './lanes.js'
import { mayTake, type RunnerProfile } from './match.js'
import { onlineSince } from './online.js'
import { loadRunnerProfiles } from './runner-profile.js'
import { TagSets } from './tag-sets.js'

/** A job that has been in the queue for too long. */
export interface StuckJob {
  jobId: number
  pipelineId: number
}

/** Jobs in the queue that nothing has changed since before `since`, in milliseconds since 1970. */
export async function findUntouchedJobs(database: Database, since: number): Promise<StuckJob[]> {
  const rows = await oldEntries(database, since).where('job.updated_at', '<', since).execute()
  return rows.map(({ job_id, pipeline_id }) => ({ jobId: job_id, pipelineId: pipeline_id }))
}

/** Jobs that were queued before `since` and that no runner online at `now` may take (CI language, 12.10). */
export async function findUnmatchedJobs(database: Database, since: number, now: number): Promise<StuckJob[]> {
  const lanes = await findUnmatchedLanes(database, since, now)
  const stuck: StuckJob[] = []
  for (const lane of lanes) {
    const rows = await oldEntries(database, since)
      .where('queue_entry.project_id', '=', lane.project_id)
      .where('queue_entry.tag_set_id', '=', lane.tag_set_id)
      .where('queue_entry.protected', '=', lane.protected)
      .where('queue_entry.instance_runners_allowed', '=', lane.instance_runners_allowed)
      .where('queue_entry.priority', '=', lane.priority)
      .execute()
    stuck.push(...rows.map(({ job_id, pipeline_id }) => ({ jobId: job_id, pipelineId: pipeline_id })))
  }
  return stuck
}

function oldEntries(database: Database, since: number) {
  return database
    .selectFrom('queue_entry')
    .innerJoin('job', 'job.id', 'queue_entry.job_id')
    .select(['queue_entry.job_id', 'job.pipeline_id'])
    .where('queue_entry.queued_at', '<', since)
    .orderBy('queue_entry.job_id')
}

/** No runner can tell the jobs of one lane apart: the few lanes are tested, not the many jobs. */
async function findUnmatchedLanes(database: Database, since: number, now: number): Promise<Lane[]> {
  const lanes = await database
    .selectFrom('queue_entry')
    .innerJoin('project', 'project.id', 'queue_entry.project_id')
    .select(['project_id', 'tag_set_id', 'protected', 'instance_runners_allowed', 'priority'])
    .select(['project.full_path', 'project.group_runners_enabled'])
    .distinct()
    .where('queued_at', '<', since)
    .execute()
  if (lanes.length === 0) return []
  const runners = await onlineRunners(database, now)
  const tags = await new TagSets(database).read(lanes.map((lane) => lane.tag_set_id))
  return lanes.filter((lane) => {
    const job = {
      projectId: lane.project_id,
      projectPath: lane.full_path,
      tags: tags.get(lane.tag_set_id) ?? [],
      protected: lane.protected,
      instanceRunnersAllowed: lane.instance_runners_allowed,
      groupRunnersAllowed: lane.group_runners_enabled,
    }
    return !runners.some((runner) => mayTake(runner, job))
  })
}

async function onlineRunners(database: Database, now: number): Promise<RunnerProfile[]> {
  const runners = await database
    .selectFrom('runner')
    .selectAll()
    .where('active', '=', true)
    .where('contacted_at', '>', onlineSince(now))
    .execute()
  return loadRunnerProfiles(database, runners)
}
