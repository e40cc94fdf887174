import { compile, invalidResult } from '../../../../ci-config/compile.js'
import { ConfigError } from '../../../../ci-config/errors.js'
import { findConfig } from '../../../../ci-config/include/find-config.js'
import { limits } from '../../../../ci-config/limits.js'
import type { CompileResult, Plan } from '../../../../ci-config/plan.js'
import { maySetVariables } from '../../../access/may-set-variables.js'
import { changedPlanLimits } from '../../../database/stores/plan-limit-store.js'
import { nextPipelineIid } from '../../../database/stores/project-store.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import type { EngineDeps } from '../engine-deps.js'
import type { RefProtection } from '../permissions/ref-protection.js'
import { refusalToRun } from '../permissions/refusal-to-run.js'
import { DEFAULT_PIPELINE_LIMITS, type PipelineLimits } from '../pipeline-limits.js'
import { type PipelineSource, traitsOf } from '../pipeline-source.js'
import { lockProject } from '../pipeline-store.js'
import { configSources } from './config-sources.js'
import { type ExceededLimit, exceededLimit } from './exceeded-limit.js'
import { pipelineContext } from './pipeline-context.js'
import { RATE_FAILURE, RATE_MESSAGE, type ReachedRate, reachedRate } from './pipeline-rate.js'
import type { PipelineRefusal, PipelineRequest } from './pipeline-request.js'
import { hasSkipMarker } from './skip-ci.js'

type DraftDeps = Pick<EngineDeps, 'database' | 'secrets' | 'repositories' | 'server' | 'outside' | 'limits'>

/**
 * The outcome of a request, decided before anything is written except `iid`. `iid` is the number within the
 * project, allocated only if it was needed.
 */
export type PipelineDraft = (StoredOutcome & { iid?: number }) | PipelineRefusal

type StoredOutcome =
  | { kind: 'jobs'; plan: Plan }
  | { kind: 'skipped' }
  | {
      kind: 'invalid'
      failureReason: 'config_error' | typeof RATE_FAILURE | ExceededLimit['failureReason']
      errors: string
      warnings: string[]
    }

/** Permissions of the user for the ref. */
export interface RunRights {
  accessLevel: number
  protection: RefProtection
}

/**
 * The checks for a new pipeline, in order (CI language, 9.2). The caller has already checked that the ref
 * exists.
 */
export async function draftPipeline(
  deps: DraftDeps,
  request: PipelineRequest,
  rights: RunRights,
): Promise<PipelineDraft> {
  const refusal = refusalOfRights(request, rights)
  if (refusal) return refusal
  const rate = await reachedRate(deps.database, limitsOf(deps), request)
  if (rate) return tooMany(request, rate)
  if (await isSkipped(deps, request)) return { kind: 'skipped' }
  if (request.noPipeline) return refused('filtered', 'The push option ci.no_pipeline was set')
  if (Object.keys(request.inputs ?? {}).length > limits.pipelineInputs) {
    return refused('inputs', `There cannot be more than ${limits.pipelineInputs} inputs`)
  }
  const compiled = await compileFor(deps, request, rights.protection !== undefined)
  if (!compiled) return refused('no-config', 'Missing CI config file')
  const { result, iid } = compiled
  const draft = await draftFrom(deps, result, request)
  return draft.kind === 'refused' || iid === undefined ? draft : { ...draft, iid }
}

/** The reason why the user may not create the pipeline; undefined if allowed. */
export function refusalOfRights(request: PipelineRequest, rights: RunRights): PipelineRefusal | undefined {
  return refusalOfUser(request, rights) ?? refusalOfVariables(request, rights)
}

function refusalOfUser(
  { source, project, user, ref }: PipelineRequest,
  rights: RunRights,
): PipelineRefusal | undefined {
  const refusal = refusalToRun({ by: source, project, user, ref, ...rights })
  return refusal && refused(refusal.reason, refusal.message)
}

interface Compiled {
  result: CompileResult
  /** Allocated after the workflow accepted the pipeline; no other pipeline gets this number. */
  iid?: number
}

/** Undefined if the commit has no CI file. */
async function compileFor(
  deps: DraftDeps,
  request: PipelineRequest,
  isProtected: boolean,
): Promise<Compiled | undefined> {
  const { project, sha } = request
  let iid: number | undefined
  const pipelineIid = async (): Promise<number> => {
    iid = await inTransaction(deps.database, (tx) => nextPipelineIid(tx, project.id))
    return iid
  }
  const sources = { ...configSources(deps, request), pipelineIid }
  const commit = { projectPath: project.full_path, sha }
  try {
    const context = await pipelineContext(deps, request, isProtected)
    const found = request.config ?? (await findConfig(project.ci_config_path, commit, sources, context))
    if (!found) return undefined
    const result = await compile(found.text, sources, { ...context, origin: found.origin })
    return { result, ...(iid !== undefined && { iid }) }
  } catch (error) {
    if (error instanceof ConfigError) return { result: invalidResult(error.problems) }
    throw error
  }
}

async function draftFrom(
  deps: DraftDeps,
  result: CompileResult,
  request: PipelineRequest,
): Promise<PipelineDraft> {
  switch (result.kind) {
    case 'plan':
      return draftFromPlan(deps, result.plan, request)
    case 'filtered':
    case 'empty':
      return refused('filtered', result.message)
    case 'invalid':
      return failed(request.source, 'config_error', result.errors, result.warnings)
  }
}

async function draftFromPlan(
  deps: DraftDeps,
  compiled: Plan,
  { source, project, onlyJob }: PipelineRequest,
): Promise<PipelineDraft> {
  const plan = onlyJob === undefined ? compiled : withOnly(onlyJob, compiled)
  if (plan.jobs.length === 0 && onlyJob !== undefined)
    return refused('filtered', `There is no job ${onlyJob}`)
  const exceeded = await exceededLimit(deps.database, await sizeLimitsOf(deps), project.id, plan)
  if (exceeded) return failed(source, exceeded.failureReason, [exceeded.message], plan.warnings)
  return { kind: 'jobs', plan }
}

function withOnly(name: string, plan: Plan): Plan {
  const jobs = plan.jobs.filter((job) => job.name === name)
  return { ...plan, jobs: jobs.map((job) => ({ ...job, needs: [] })) }
}

/** Some sources store a failed pipeline; others are refused immediately (CI language, 9.1 and 9.5). */
function failed(
  source: PipelineSource,
  failureReason: 'config_error' | ExceededLimit['failureReason'],
  problems: string[],
  warnings: string[],
): PipelineDraft {
  const errors = problems.join('\n')
  return traitsOf(source).keepsFailed
    ? { kind: 'invalid', failureReason, errors, warnings }
    : refused(failureReason, errors)
}

function refused(reason: PipelineRefusal['reason'], message: string): PipelineRefusal {
  return { kind: 'refused', reason, message }
}

/** With what administrators have changed since the start. */
async function sizeLimitsOf(deps: Pick<EngineDeps, 'database' | 'limits'>): Promise<PipelineLimits> {
  const configured = limitsOf(deps)
  const changed = await changedPlanLimits(deps.database, 'ci_pipeline_size', 'ci_active_jobs')
  const { ci_pipeline_size = configured.jobsPerPipeline, ci_active_jobs = configured.activeJobs } = changed
  return { ...configured, jobsPerPipeline: ci_pipeline_size, activeJobs: ci_active_jobs }
}

function limitsOf({ limits = DEFAULT_PIPELINE_LIMITS }: Pick<EngineDeps, 'limits'>): PipelineLimits {
  return limits
}

/**
 * Returns the draft, unless the project has reached its limit of pipelines per minute. `tx` then holds the
 * lock of the project row, so concurrent requests on any coordinator cannot exceed the limit.
 */
export async function draftWithinRate(
  deps: Pick<EngineDeps, 'dialect' | 'limits'>,
  tx: Transaction,
  request: PipelineRequest,
  draft: PipelineDraft,
): Promise<PipelineDraft> {
  if (draft.kind === 'refused') return draft
  await lockProject(tx, deps.dialect, request.project.id)
  const rate = await reachedRate(tx, limitsOf(deps), request)
  return rate ? tooMany(request, rate) : draft
}

/** A push cannot be repeated, so its pipeline shows why it has no jobs. Other requests can be repeated. */
function tooMany({ source }: PipelineRequest, rate: ReachedRate): PipelineDraft {
  if (source !== 'push') return { ...refused('rate', RATE_MESSAGE), rate }
  return { kind: 'invalid', failureReason: RATE_FAILURE, errors: RATE_MESSAGE, warnings: [] }
}

/** Whether a push option or the commit message skips the jobs (CI language, 9.3). */
async function isSkipped({ repositories }: DraftDeps, request: PipelineRequest): Promise<boolean> {
  if (request.skip) return true
  if (!traitsOf(request.source).obeysSkipCi) return false
  const commit = await repositories.readCommit(request.project.id, request.sha)
  return hasSkipMarker(commit.message)
}

function refusalOfVariables(
  { source, project, variables = [] }: PipelineRequest,
  { accessLevel }: RunRights,
): PipelineRefusal | undefined {
  if (variables.length === 0) return undefined
  if (traitsOf(source).givesVariables && !maySetVariables(project, accessLevel)) {
    return refused('variables', 'Insufficient permissions to set pipeline variables')
  }
  const problem = problemOfKeys(variables.map(({ key }) => key))
  return problem === undefined ? undefined : refused('variables', problem)
}

function problemOfKeys(keys: string[]): string | undefined {
  const wrong = keys.filter((key) => !/^[a-zA-Z0-9_]{1,255}$/.test(key))
  if (wrong.length > 0) {
    return `Variable names can contain only letters, digits and '_', 255 at most: ${wrong.join(', ')}`
  }
  const seen = new Set<string>()
  const duplicates = new Set(keys.filter((key) => seen.size === seen.add(key).size))
  return duplicates.size > 0 ? `Duplicate variable name(s): ${[...duplicates].join(', ')}` : undefined
}
