import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { advancePipeline } from '../advance/advance-pipeline.js'
import { startManualJob } from '../advance/start-manual-job.js'
import { changeAtTheEnd, NO_TIMER } from '../deployments/after-job.js'
import { findLastPipeline, findStopJobNames } from '../deployments/deployment-store.js'
import { type EnvironmentRow, findEnvironment } from '../deployments/environment-store.js'
import { findStopJobs } from '../deployments/stop-job-store.js'
import type { EngineDeps } from '../engine-deps.js'
import { isCompleted } from '../job-status.js'
import { lockPipeline } from '../pipeline-store.js'
import { decideStop, type StopRights, stopRightsOf } from './stop-rights.js'

export interface StopOptions {
  /**
   * The user on whose behalf it is stopped, who becomes the user of the stop jobs; null = the user no longer
   * exists.
   */
  userId: number | null
  /** Does not run the stop jobs. */
  force?: boolean
  /**
   * Called in the transaction that stops it. If this is false, nothing happens: the environment is already stopping, or no
   * longer needs to stop.
   */
  onlyIf?: (environment: EnvironmentRow, tx: Transaction) => boolean | Promise<boolean>
  /**
   * The stop time has passed. An environment with the setting `with_action` then stays available if it has no
   * stop job.
   */
  isAutomatic?: boolean
}

export type StopOutcome =
  | { kind: 'done'; environment: EnvironmentRow }
  /**
   * The user may not run the stop jobs. The environment is unchanged, and with `isAutomatic` loses its stop
   * time.
   */
  | { kind: 'refused'; message: string }
  | { kind: 'gone' }

/**
 * Stops an environment. Plays the jobs that its last deployments name in `on_stop`, and the status is
 * `stopping` until they succeed. Without such a job the status is `stopped` immediately (CI language, 15.3).
 * The stop jobs wait neither for their stage nor for their needs.
 */
export async function stopEnvironment(
  deps: EngineDeps,
  environmentId: number,
  options: StopOptions,
): Promise<StopOutcome> {
  const pipelineId = await findLastPipeline(deps.database, environmentId)
  const refusal = await inTransaction(deps.database, async (tx) => {
    if (pipelineId !== undefined) await lockPipeline(tx, deps.dialect, pipelineId)
    const environment = await findEnvironment(tx, environmentId)
    if (!environment || environment.state === 'stopped') return undefined
    if (options.onlyIf && !(await options.onlyIf(environment, tx))) return undefined
    const rights = await stopRightsOf({ ...deps, database: tx }, environment, pipelineId, options.userId)
    return stop(deps, tx, { environment, pipelineId, rights }, options)
  })
  if (refusal !== undefined) return { kind: 'refused', message: refusal }
  const environment = await findEnvironment(deps.database, environmentId)
  return environment ? { kind: 'done', environment } : { kind: 'gone' }
}

/** Returns the reason for a refusal. */
async function stop(
  deps: EngineDeps,
  tx: Transaction,
  what: { environment: EnvironmentRow; pipelineId: number | undefined; rights: StopRights },
  { force, isAutomatic }: StopOptions,
): Promise<string | undefined> {
  const { environment, pipelineId, rights } = what
  const jobs = force ? [] : await unfinishedStopJobs(tx, environment, pipelineId)
  const decision = decideStop(rights, jobs)
  const clearTimer = (): void => changeAtTheEnd(deps, tx, environment.id, () => NO_TIMER)
  switch (decision.kind) {
    case 'refuse':
      if (isAutomatic) clearTimer()
      return decision.message
    case 'mark-stopped':
      if (isAutomatic && environment.auto_stop_setting === 'with_action') clearTimer()
      else changeAtTheEnd(deps, tx, environment.id, () => ({ state: 'stopped', ...NO_TIMER }))
      return undefined
    case 'run':
      for (const job of decision.jobs) await play(deps, tx, job, decision.userId)
      if (pipelineId !== undefined) await advancePipeline(deps, tx, pipelineId)
      changeAtTheEnd(deps, tx, environment.id, () => ({ state: 'stopping', ...NO_TIMER }))
      return undefined
  }
}

/** Stop jobs that have already succeeded this time are not repeated. */
async function unfinishedStopJobs(
  tx: Transaction,
  { id, state }: EnvironmentRow,
  pipelineId: number | undefined,
): Promise<JobRow[]> {
  const jobs = await stopJobsOf(tx, id, pipelineId)
  return state === 'stopping' ? jobs.filter(({ status }) => status !== 'success') : jobs
}

/** The jobs that stopping the environment starts, or that already stop it (CI language, 15.3). */
async function stopJobsOf(
  tx: Transaction,
  environmentId: number,
  pipelineId: number | undefined,
): Promise<JobRow[]> {
  if (pipelineId === undefined) return []
  const names = await findStopJobNames(tx, environmentId, pipelineId)
  const jobs = await findStopJobs(tx, pipelineId, names)
  return jobs.filter((job) => !isCompleted(job.status) || isStartedManually(job))
}

function isStartedManually({ when }: JobRow): boolean {
  return when === 'manual' || when === 'delayed'
}

/** A job that is queued or running needs no further action. */
async function play(deps: EngineDeps, tx: Transaction, job: JobRow, userId: number): Promise<void> {
  const isIdle = isCompleted(job.status) || ['created', 'manual', 'scheduled'].includes(job.status)
  if (isIdle && isStartedManually(job)) await startManualJob(deps, tx, job, userId)
}
