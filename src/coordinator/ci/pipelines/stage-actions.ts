import type { JobRow, PipelineRow } from '../../database/tables/pipeline-rows.js'
import { apiError, notFound } from '../../http/errors.js'
import { NOT_A_DEPLOYER } from '../engine/deployments/protection/may-deploy.js'
import type { EngineDeps } from '../engine/engine-deps.js'
import { refusalToPlay, storedRunOf } from '../engine/permissions/refusal-to-run-on.js'
import { cancelStage } from '../engine/retry/cancel.js'
import { playPipeline } from '../engine/retry/play-pipeline.js'
import {
  retryJobs,
  retryPipeline,
  type RetrySelection,
  type StartedJobs,
} from '../engine/retry/retry-pipeline.js'
import type { StartRefusal } from '../engine/retry/startable-jobs.js'
import type { Act } from './act.js'
import type { JobsOutcome, RetryOptions } from './schema.js'
import { findJobsOfPipeline, findStageIndex } from './store.js'

const REASONS: Record<StartRefusal, string> = {
  archived: 'The job is archived',
  outdated: 'The job would deploy older code over newer',
  forbidden: NOT_A_DEPLOYER,
  unapproved: 'The deployment of this job requires approvals',
}

/**
 * Retries the failed and canceled jobs of a pipeline, or the selected ones. Throws 403 for users who may not run
 * jobs on this ref and for a given job that cannot be retried, and 404 for an unknown stage or job.
 */
export async function rerunPipeline(
  engine: EngineDeps,
  act: Act,
  { jobs, from_stage, only_failed }: RetryOptions,
): Promise<PipelineRow> {
  await checkMayRun(engine, act)
  if (jobs) return rerunJobs(engine, act, jobs)
  const fromStage = from_stage === undefined ? undefined : await stageIndex(engine, act, from_stage)
  const selection: RetrySelection = { fromStage, onlyFailed: only_failed }
  return (await retryPipeline(engine, act.pipeline, act.actor.user, selection)).pipeline
}

async function rerunJobs(engine: EngineDeps, { pipeline, actor }: Act, ids: number[]): Promise<PipelineRow> {
  const distinct = [...new Set(ids)]
  const jobs = distinct.length === 0 ? [] : await findJobsOfPipeline(engine.database, pipeline.id, distinct)
  if (jobs.length < distinct.length) throw notFound('Job')
  const outcome = await retryJobs(engine, pipeline, jobs, actor.user)
  switch (outcome.kind) {
    case 'retried':
      return outcome.pipeline
    case 'not-retryable':
      throw apiError('chosen_job_not_retryable', { job: outcome.job.id })
    case 'refused':
      throw apiError('chosen_job_not_startable', { job: outcome.job.id, reason: REASONS[outcome.reason] })
  }
}

/**
 * Starts the manual jobs of a pipeline or of one of its stages. Throws 400 if none waits for a user, and 403 if the
 * caller may start none of them.
 */
export async function playManualJobs(engine: EngineDeps, act: Act, stage?: string): Promise<JobsOutcome> {
  const { pipeline, actor } = act
  await checkMayRun(engine, act)
  const index = stage === undefined ? undefined : await stageIndex(engine, act, stage)
  const started = await playPipeline(engine, pipeline, actor.user, { stage: index })
  return presentStarted(started, 'no_job_to_start')
}

/** Retries the failed and canceled jobs of a stage. Throws 400 if there are none, and 403 like `rerunPipeline`. */
export async function rerunStage(engine: EngineDeps, act: Act, stage: string): Promise<JobsOutcome> {
  const { pipeline, actor } = act
  await checkMayRun(engine, act)
  const selection = { stage: await stageIndex(engine, act, stage) }
  const started = await retryPipeline(engine, pipeline, actor.user, selection)
  return presentStarted(started, 'no_job_to_retry')
}

/** Cancels the jobs of a stage that have not ended. */
export async function stopStage(engine: EngineDeps, act: Act, stage: string): Promise<JobsOutcome> {
  const { pipeline, jobs } = await cancelStage(engine, act.pipeline, await stageIndex(engine, act, stage))
  return { pipeline: presentState(pipeline), jobs: jobs.map(presentJob), refused: [] }
}

/** Throws 403 if the user may not run jobs, for example on a protected ref or in an archived project. */
async function checkMayRun(engine: EngineDeps, { project, pipeline, actor }: Act): Promise<void> {
  const refusal = await refusalToPlay(engine, { project, user: actor.user }, storedRunOf(pipeline))
  if (refusal) throw apiError('ref_not_runnable', { reason: refusal.message })
}

async function stageIndex({ database }: EngineDeps, { pipeline }: Act, name: string): Promise<number> {
  const index = await findStageIndex(database, pipeline.id, name)
  if (index === undefined) throw notFound('Stage')
  return index
}

function presentStarted(
  { pipeline, jobs, refused }: StartedJobs,
  nothing: 'no_job_to_start' | 'no_job_to_retry',
): JobsOutcome {
  const [first] = refused
  if (jobs.length === 0) {
    throw first ? apiError('job_not_startable', { reason: REASONS[first.reason] }) : apiError(nothing)
  }
  return {
    pipeline: presentState(pipeline),
    jobs: jobs.map(presentJob),
    refused: refused.map(({ job, reason }) => ({ id: job.id, name: job.name, message: REASONS[reason] })),
  }
}

function presentState({ id, status }: PipelineRow): JobsOutcome['pipeline'] {
  return { id, status }
}

function presentJob({ id, name, status }: JobRow): JobsOutcome['jobs'][number] {
  return { id, name, status }
}
