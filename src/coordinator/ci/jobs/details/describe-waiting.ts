import type { Database } from '../../../database/connect.js'
import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { isoTime } from '../../../http/presenters/present-time.js'
import { gateOf } from '../../engine/deployments/protection/gates.js'
import type { EngineDeps } from '../../engine/engine-deps.js'
import { waitsForUser } from '../../engine/job-actions.js'
import { isCompleted } from '../../engine/job-status.js'
import { runnerStatus } from '../../queue/runner-status.js'
import { findQueuedJobs } from '../../queue/store.js'
import { findPendingReasons } from '../../queue/waiting/find-pending-reasons.js'
import {
  countMatchingRunners,
  findMatchingRunners,
  findNearestTags,
  type MatchingRunner,
} from '../../queue/waiting/matching-runners.js'
import { findRunnerKinds } from '../../queue/waiting/runner-kinds.js'
import { blockedBy, helpFor } from './help.js'
import type { JobWaiting, WaitingRunner } from './schema.js'
import { findGroupOfJob, findLinkedJob, findNeeded, findPlaceInGroup, findUnfinishedBefore } from './store.js'

type WaitingDeps = Pick<EngineDeps, 'database' | 'outside'>

export interface WaitingOptions {
  /** Whether the caller may see the runners of the project. */
  withRunners: boolean
  now: number
}

const MAX_RUNNERS = 10

/** Why a job does not run yet; null for a job that runs or has ended. */
export async function describeWaiting(
  deps: WaitingDeps,
  job: JobRow,
  options: WaitingOptions,
): Promise<JobWaiting | null> {
  switch (job.status) {
    case 'created':
      return describeCreated(deps.database, job)
    case 'waiting_for_resource':
      return describeResource(deps.database, job)
    case 'pending':
      return describePending(deps.database, job, options)
    case 'manual':
    case 'scheduled':
      return describeUser(deps, job)
    default:
      return null
  }
}

async function describeCreated(database: Database, job: JobRow): Promise<JobWaiting> {
  const byNeeds = job.scheduling_type === 'dag'
  const before = byNeeds ? await findNeeded(database, job) : await findUnfinishedBefore(database, job)
  const blockers = before.filter(({ status }) => !isCompleted(status))
  return blockedBy(byNeeds ? 'needs' : 'stage', blockers)
}

async function describeResource(database: Database, job: JobRow): Promise<JobWaiting> {
  const group = await findGroupOfJob(database, job.resource_group_id ?? 0)
  const holder =
    group?.job_id && group.job_id !== job.id ? await findLinkedJob(database, group.job_id) : undefined
  const state = holder ? `, which job ${holder.id} has` : ''
  return {
    reason: 'resource_group',
    message: `Waits for the resource group "${group?.key ?? ''}"${state}.`,
    help: null,
    queue_position: group ? await findPlaceInGroup(database, group, job.id) : null,
    blocked_by: holder ? [holder] : [],
  }
}

async function describeUser({ database, outside }: WaitingDeps, job: JobRow): Promise<JobWaiting | null> {
  // It has started its pipeline, whose status it mirrors.
  if (!waitsForUser(job)) return null
  const nothing = { queue_position: null, blocked_by: [] }
  if (job.status === 'scheduled') {
    const at = job.scheduled_at === null ? 'later' : `at ${isoTime(job.scheduled_at)}`
    return { reason: 'delayed', message: `Starts ${at}.`, help: helpFor('delayed'), ...nothing }
  }
  if ((await gateOf({ outside }, database, job)) === 'unapproved') {
    const message = 'The deployment of this job requires approvals.'
    return { reason: 'approval', message, help: helpFor('approval'), ...nothing }
  }
  return { reason: 'manual', message: 'Waits for a user to start it.', help: null, ...nothing }
}

async function describePending(
  database: Database,
  job: JobRow,
  { withRunners, now }: WaitingOptions,
): Promise<JobWaiting | null> {
  if (job.kind === 'bridge') {
    const message = 'Waits for the downstream pipeline to be created.'
    return { reason: 'downstream', message, help: null, queue_position: null, blocked_by: [] }
  }
  const [queued] = await findQueuedJobs(database, [job.id])
  const found = (await findPendingReasons(database, [job.id])).get(job.id)
  // A runner claims it right now.
  if (!queued || !found) return null
  const { reason, message } = found
  const missing_tags = 'missing_tags' in found ? found.missing_tags : undefined
  const kinds = reason === 'missing_tags' ? await findRunnerKinds(database, [job.project_id], now) : []
  const nearest = findNearestTags(queued, kinds)
  return {
    reason,
    message,
    help: helpFor(reason, { missingTags: missing_tags, job: queued }),
    queue_position: 'queue_position' in found ? (found.queue_position ?? null) : null,
    ...(missing_tags && { missing_tags }),
    ...(nearest && { nearest }),
    matching: await countMatchingRunners(database, queued, now),
    ...(withRunners && {
      runners: (await findMatchingRunners(database, queued, MAX_RUNNERS)).map(presentRunner(now)),
    }),
    blocked_by: [],
  }
}

function presentRunner(now: number) {
  return ({ id, description, runner_type, running_jobs, ...facts }: MatchingRunner): WaitingRunner => ({
    id,
    description,
    runner_type,
    status: runnerStatus(facts, now),
    running_jobs,
  })
}
