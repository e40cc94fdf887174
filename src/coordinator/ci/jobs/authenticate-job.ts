import { tokenDigest } from '../../../lib/tokens.js'
import { JOB_STATUS_HEADER, JOB_TOKEN_HEADER } from '../../../protocol/headers.js'
import type { Database } from '../../database/connect.js'
import type { JobRow } from '../../database/tables/pipeline-rows.js'
import { apiError, forbidden } from '../../http/errors.js'
import { findJob } from '../engine/job-store.js'

/** Reads the job token from the parameter first, then from the header (runner protocol, 0). */
export function jobTokenOf(
  headers: Record<string, string | string[] | undefined>,
  parameter?: string,
): string | undefined {
  const header = headers[JOB_TOKEN_HEADER]
  return parameter || (typeof header === 'string' ? header : undefined)
}

/**
 * Returns the running job that the token belongs to. Throws 403. For the token of an ended job, the refusal
 * carries the status of the job, which tells the runner to stop (runner protocol, 3.2). A wrong token gets
 * the same response as a job that does not exist.
 */
export async function authenticateJob(
  database: Database,
  jobId: number,
  token: string | undefined,
): Promise<JobRow> {
  if (token === undefined) throw forbidden()
  return checkToken(await findJob(database, jobId), tokenDigest(token))
}

/** Whether the token is that of the job, and the job runs. */
export async function isTokenOfRunning(database: Database, jobId: number, token: string): Promise<boolean> {
  const job = await findJob(database, jobId)
  return job?.status === 'running' && job.token_digest === tokenDigest(token)
}

type TokenColumns = Pick<JobRow, 'status' | 'token_digest' | 'ended_token_digest'>

/** Returns the job if it is running and has the token with this digest. Throws as `authenticateJob`. */
export function checkToken<Job extends TokenColumns>(job: Job | undefined, digest: string | undefined): Job {
  if (!job || !hasToken(job, digest)) throw forbidden()
  if (!isUnderWay(job)) throw notRunning(job)
  return job
}

/** Whether the token with this digest is that of the job, or was when the job ended. */
export function hasToken(job: TokenColumns, digest: string | undefined): boolean {
  return digest !== undefined && tokenOf(job) === digest
}

/** 403 for a job that is no longer a runner's business. */
export function notRunning({ status }: Pick<JobRow, 'status'>): Error {
  return apiError('job_not_running', {}, { headers: { [JOB_STATUS_HEADER]: status } })
}

/** The digest of the token that is valid, or of the last one. */
function tokenOf({ token_digest, ended_token_digest }: TokenColumns): string | null {
  return token_digest ?? ended_token_digest
}

function isUnderWay({ status, token_digest }: TokenColumns): boolean {
  return (status === 'running' || status === 'canceling') && token_digest !== null
}
