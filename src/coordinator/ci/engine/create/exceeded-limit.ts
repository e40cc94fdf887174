import type { Plan } from '../../../../ci-config/plan.js'
import { DAY } from '../../../../lib/time-units.js'
import type { Database } from '../../../database/connect.js'
import { CANCELABLE_STATUSES } from '../job-status.js'
import type { PipelineLimits } from '../pipeline-limits.js'

export interface ExceededLimit {
  failureReason: 'size_limit_exceeded' | 'job_activity_limit_exceeded' | 'deployments_limit_exceeded'
  message: string
}

const ACTIVE_STATUSES = CANCELABLE_STATUSES.filter((status) => status !== 'manual' && status !== 'scheduled')

/**
 * The first limit that a new pipeline would exceed (CI language, 9.2, rows 12 to 14). Concurrent requests may
 * slightly exceed a limit; the limits protect resources and need not be exact.
 */
export async function exceededLimit(
  database: Database,
  limits: PipelineLimits,
  projectId: number,
  { jobs }: Plan,
): Promise<ExceededLimit | undefined> {
  if (isAbove(jobs.length, limits.jobsPerPipeline)) {
    const message = `The number of jobs has exceeded the limit of ${limits.jobsPerPipeline}. Split the configuration, or ask an administrator to raise \`pipelines.max_jobs\`.`
    return { failureReason: 'size_limit_exceeded', message }
  }
  if (await isAboveActiveJobs(database, limits.activeJobs, projectId, jobs.length)) {
    const message = 'Project exceeded the allowed number of jobs in active pipelines. Retry later.'
    return { failureReason: 'job_activity_limit_exceeded', message }
  }
  const deployments = jobs.filter(({ environment }) => environment?.action === 'start').length
  if (isAbove(deployments, limits.deploymentsPerPipeline)) {
    const message = `Pipeline has too many deployments! Requested ${deployments}, but the limit is ${limits.deploymentsPerPipeline}.`
    return { failureReason: 'deployments_limit_exceeded', message }
  }
  return undefined
}

async function isAboveActiveJobs(
  database: Database,
  limit: number,
  projectId: number,
  added: number,
): Promise<boolean> {
  if (limit === 0) return false
  const { count } = await database
    .selectFrom('job')
    .innerJoin('pipeline', 'pipeline.id', 'job.pipeline_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('pipeline.project_id', '=', projectId)
    .where('pipeline.status', 'in', ACTIVE_STATUSES)
    .where('pipeline.created_at', '>', Date.now() - DAY)
    .executeTakeFirstOrThrow()
  return count + added > limit
}

function isAbove(count: number, limit: number): boolean {
  return limit > 0 && count > limit
}
