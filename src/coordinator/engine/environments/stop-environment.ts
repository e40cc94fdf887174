import { inTransaction, type Transaction } from '../../database/transaction.js'
import { advancePipeline } from '../advance/advance-pipeline.js'
import type { EngineDeps } from '../engine-deps.js'
import { isCompleted } from '../job-status.js'
import { lockPipeline } from '../pipeline-store.js'
import { startByHand } from '../retry/play.js'
import type { JobRow } from '../rows.js'
import { changeAtTheEnd } from './after-job.js'
import { findLastPipeline, findStopJobNames } from './deployment-store.js'
import { findStopJobs } from './stop-job-store.js'
import { type EnvironmentRow, findEnvironment } from './store.js'

export interface StopOptions {
  /** Whose jobs they become; absent = they stay whose they are. */
  userId?: number
  /** The jobs that stop it are left alone. */
  force?: boolean
  /** Nobody asks for it: one that is being stopped already, or need not be any more, is left alone. */
  onlyIf?: (environment: EnvironmentRow) => boolean
  /** Its time is over: one with the setting `with_action` lives on if no job stops it. */
  isAutomatic?: boolean
}

/**
 * Stops an environment: the jobs are played that its last deployments name with `on_stop`, and it is `stopping` until they
 * have succeeded; with no such job it is `stopped` at once (CI language, 15.3). They wait neither for their stage nor for
 * what they need. The environment as it is then; undefined when there is none any more.
 */
export async function stopEnvironment(
  deps: EngineDeps,
  environmentId: number,
  options: StopOptions = {},
): Promise<EnvironmentRow | undefined> {
  const pipelineId = await findLastPipeline(deps.database, environmentId)
  await inTransaction(deps.database, async (tx) => {
    if (pipelineId !== undefined) await lockPipeline(tx, deps.dialect, pipelineId)
    const environment = await findEnvironment(tx, environmentId)
    if (!environment || environment.state === 'stopped' || options.onlyIf?.(environment) === false) return
    const jobs = options.force ? [] : await unfinishedStopJobs(tx, environment, pipelineId)
    const isLeft = options.isAutomatic && environment.auto_stop_setting === 'with_action'
    if (jobs.length === 0 && isLeft) {
      changeAtTheEnd(deps, tx, environmentId, () => ({ auto_stop_at: null }))
      return
    }
    for (const job of jobs) await play(deps, tx, job, options.userId)
    const [first] = jobs
    if (first) await advancePipeline(deps, tx, first.pipeline_id)
    const state = first ? 'stopping' : 'stopped'
    changeAtTheEnd(deps, tx, environmentId, () => ({ state, auto_stop_at: null }))
  })
  return findEnvironment(deps.database, environmentId)
}

/** Of those that stop it together, those that have done so this time are not repeated. */
async function unfinishedStopJobs(
  tx: Transaction,
  { id, state }: EnvironmentRow,
  pipelineId: number | undefined,
): Promise<JobRow[]> {
  const jobs = await stopJobsOf(tx, id, pipelineId)
  return state === 'stopping' ? jobs.filter(({ status }) => status !== 'success') : jobs
}

/** The jobs that stopping the environment starts, or that are under way to stop it (CI language, 15.3). */
export async function stopJobsOf(
  tx: Transaction | EngineDeps['database'],
  environmentId: number,
  pipelineId: number | undefined,
): Promise<JobRow[]> {
  if (pipelineId === undefined) return []
  const names = await findStopJobNames(tx, environmentId, pipelineId)
  const jobs = await findStopJobs(tx, pipelineId, names)
  return jobs.filter((job) => !isCompleted(job.status) || isStartedByHand(job))
}

function isStartedByHand({ when }: JobRow): boolean {
  return when === 'manual' || when === 'delayed'
}

/** One that waits to run, or runs, does what is wanted already. */
async function play(deps: EngineDeps, tx: Transaction, job: JobRow, userId = job.user_id): Promise<void> {
  const isIdle = isCompleted(job.status) || ['created', 'manual', 'scheduled'].includes(job.status)
  if (isIdle && isStartedByHand(job)) await startByHand(deps, tx, job, userId)
}
