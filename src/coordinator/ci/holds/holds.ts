import { tokenDigest } from '../../../lib/tokens.js'
import type { Project, User } from '../../access/caller.js'
import type { HoldEnd } from '../../database/tables/job-holds.js'
import type { JobRow } from '../../database/tables/pipeline-rows.js'
import { apiError, forbidden, notFound } from '../../http/errors.js'
import type { EngineDeps } from '../engine/engine-deps.js'
import { findJob } from '../engine/job-store.js'
import { refusalToPlay } from '../engine/permissions/refusal-to-run-on.js'
import type { JobWatches } from '../signals/job-watches.js'
import { mayEnter, mayEnterRunning } from './may-enter.js'
import { endHold, findHold, type JobHoldRow, setUntil } from './store.js'

/** Milliseconds after which a hold counts as ended although its runner has not said so. */
const SILENCE = 60_000

export interface HoldDeps {
  engine: Pick<EngineDeps, 'database' | 'outside'>
  watches: JobWatches
  /** Tells the pages that show the job. */
  onChanged: (jobId: number) => void
  now?: () => number
}

/** The hold of a job of the project. Throws 404 for a job that was never held. */
export async function holdOf(
  { engine: { database } }: HoldDeps,
  project: Project,
  jobId: number,
): Promise<{ job: JobRow; hold: JobHoldRow }> {
  const job = await findJob(database, jobId)
  if (!job || job.project_id !== project.id) throw notFound()
  const hold = await findHold(database, jobId)
  if (!hold) throw notFound('Hold')
  return { job, hold }
}

/** Whether the user may extend and end the hold of a job, and open a shell in it. */
export async function mayEnterJob(
  { engine }: Pick<HoldDeps, 'engine'>,
  project: Project,
  job: JobRow,
  user: User,
  accessLevel: number,
): Promise<boolean> {
  const refusal = await refusalToPlay(engine, { project, user }, job)
  return mayEnter({ isOwnJob: job.user_id === user.id, accessLevel, mayRun: refusal === undefined })
}

/** Whether the user may open a shell in a job that runs. */
export async function mayEnterRunningJob(
  { engine }: Pick<HoldDeps, 'engine'>,
  project: Project,
  job: JobRow,
  user: User,
): Promise<boolean> {
  const refusal = await refusalToPlay(engine, { project, user }, job)
  const isOwnJob = job.user_id === user.id
  return mayEnterRunning({ isOwnJob, isAdmin: user.is_admin, mayRun: refusal === undefined })
}

/** The hold of a job that the user may enter. Throws 404 as `holdOf`, and 403. */
export async function enterHold(
  deps: HoldDeps,
  project: Project,
  jobId: number,
  { user, accessLevel }: { user: User; accessLevel: number },
): Promise<{ job: JobRow; hold: JobHoldRow }> {
  const found = await holdOf(deps, project, jobId)
  if (!(await mayEnterJob(deps, project, found.job, user, accessLevel))) throw forbidden()
  return found
}

/** Moves the end of a hold, at most to its latest time. Throws 409 for a hold that has ended. */
export async function extendHold(deps: HoldDeps, hold: JobHoldRow, seconds: number): Promise<JobHoldRow> {
  if (hasEnded(hold, timeOf(deps))) throw apiError('job_not_held')
  return await holdUntil(deps, hold, hold.until + seconds * 1000)
}

/** As `extendHold`, for a time in milliseconds since 1970. */
export async function holdUntil(deps: HoldDeps, hold: JobHoldRow, until: number): Promise<JobHoldRow> {
  const changed = await setUntil(deps.engine.database, hold.job_id, Math.min(until, hold.latest))
  if (!changed) throw apiError('job_not_held')
  notify(deps, hold.job_id)
  return changed
}

/** Asks the runner to end the hold, or records that it has. It is no error if it has ended. */
export async function finishHold(deps: HoldDeps, jobId: number, reason: HoldEnd): Promise<void> {
  if (await endHold(deps.engine.database, jobId, reason, timeOf(deps))) notify(deps, jobId)
}

/** The hold whose runner has this token. Throws 403. */
export async function holdOfRunner(
  { engine: { database } }: HoldDeps,
  jobId: number,
  token: unknown,
): Promise<JobHoldRow> {
  const hold = await findHold(database, jobId)
  if (!hold || typeof token !== 'string' || hold.token_digest !== tokenDigest(token)) throw forbidden()
  return hold
}

export function hasEnded({ ended_at, until }: JobHoldRow, now: number): boolean {
  return ended_at !== null || until + SILENCE < now
}

export function timeOf({ now = Date.now }: Pick<HoldDeps, 'now'>): number {
  return now()
}

export function notify({ watches, onChanged }: Pick<HoldDeps, 'watches' | 'onChanged'>, jobId: number): void {
  watches.notify(jobId)
  onChanged(jobId)
}
