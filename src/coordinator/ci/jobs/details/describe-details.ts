import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { isoTime, isoTimeOrNull } from '../../../http/presenters/present-time.js'
import { archivedTest } from '../../engine/archived-jobs.js'
import type { EngineDeps } from '../../engine/engine-deps.js'
import { actionsOn } from '../../engine/job-actions.js'
import { findProject } from '../../engine/pipeline-store.js'
import { playedVariables } from '../../predefined-variables/stored-variables.js'
import { describeWaiting } from './describe-waiting.js'
import type { JobAttempt, JobDetails } from './schema.js'
import {
  findArchiveState,
  findAttempts,
  findEnvironmentName,
  findGroupOfJob,
  findNeeded,
  findNeeding,
  findPlayedKeys,
  findRunTimes,
  isHeld,
  opensShells,
} from './store.js'

export interface DetailsOptions {
  /** Whether the caller may see the runners of the project. */
  withRunners: boolean
  /** Whether the caller may read the values of variables of pipelines. */
  withValues: boolean
}

/** What a page shows of a job, beside its record. */
export async function describeDetails(
  deps: Pick<EngineDeps, 'database' | 'outside' | 'secrets'>,
  job: JobRow,
  { withRunners, withValues }: DetailsOptions,
): Promise<JobDetails> {
  const { database } = deps
  const { options } = job
  const group =
    job.resource_group_id === null ? undefined : await findGroupOfJob(database, job.resource_group_id)
  const attempts = await findAttempts(database, job)
  const archive = await findArchiveState(database, job)
  return {
    kind: job.kind === 'bridge' ? 'trigger' : 'job',
    when: job.when,
    actions: actionsOn(job, { isArchived: (await archivedTest(database))(job) }),
    exit_code: job.exit_code,
    timeout: job.timeout ?? options.timeout ?? (await findProject(database, job.project_id)).build_timeout,
    debug_trace: job.debug_trace,
    artifacts_access: options.artifacts?.access ?? 'all',
    artifacts_expired_at: archive?.isDeleted ? isoTimeOrNull(archive.expireAt) : null,
    artifacts_kept_for: archive && !archive.isDeleted ? archive.keptFor : null,
    attempts: attempts.map(presentAttempt),
    needs: await findNeeded(database, job),
    needed_by: await findNeeding(database, job),
    environment: await environmentOf(deps, job),
    resource_group: group?.key ?? null,
    variables: await findPlayedKeys(database, job.id),
    variable_values: withValues ? await playedValues(deps, job.id) : null,
    inputs: (options.inputs ?? []).map(({ name, type, text, description, options: allowed }) => ({
      name,
      type,
      value: text,
      description: description ?? null,
      options: allowed ? [...allowed] : null,
    })),
    is_held: await isHeld(database, job.id, Date.now()),
    opens_shells: await opensShells(database, job),
    manual_confirmation: options.manualConfirmation ?? null,
    expected: medianSeconds(await findRunTimes(database, job)),
    waiting: await describeWaiting(deps, job, { withRunners, now: Date.now() }),
  }
}

function presentAttempt({
  id,
  status,
  created_at,
  started_at,
  finished_at,
  failure_reason,
}: Awaited<ReturnType<typeof findAttempts>>[number]): JobAttempt {
  const hasRun = started_at !== null && finished_at !== null
  return {
    id,
    status,
    created_at: isoTime(created_at),
    started_at: isoTimeOrNull(started_at),
    finished_at: isoTimeOrNull(finished_at),
    duration: hasRun ? Math.max(0, finished_at - started_at) / 1000 : null,
    failure_reason: status === 'failed' ? (failure_reason ?? 'unknown_failure') : null,
  }
}

async function environmentOf(
  { database }: Pick<EngineDeps, 'database'>,
  { environment_id, environment_action }: JobRow,
): Promise<JobDetails['environment']> {
  if (environment_id === null || environment_action === null) return null
  const environment = await findEnvironmentName(database, environment_id)
  return environment ? { ...environment, action: environment_action } : null
}

/** The median of times in milliseconds, in seconds; null for no times. */
function medianSeconds(times: number[]): number | null {
  const sorted = times.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  const lower = sorted[Math.ceil(middle) - 1]
  const upper = sorted[Math.floor(middle)]
  return lower === undefined || upper === undefined ? null : (lower + upper) / 2000
}

async function playedValues(
  deps: Pick<EngineDeps, 'database' | 'secrets'>,
  jobId: number,
): Promise<{ key: string; value: string }[]> {
  const variables = (await playedVariables(deps, [jobId])).get(jobId) ?? []
  return variables.map(({ key, value }) => ({ key, value }))
}
