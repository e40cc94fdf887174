import { tokenDigest } from '../../../lib/tokens.js'
import { JOB_STATUS_HEADER, JOB_TOKEN_HEADER } from '../../../protocol/headers.js'
import type { Database } from '../../database/connect.js'
import type { JobRow } from '../../database/tables/pipeline-rows.js'
import { forbidden } from '../../http/errors.js'
import { findJob } from '../engine/job-store.js'

/** Where a job token may travel: the parameter is read first, the header second (runner protocol, 0). */
export function jobTokenOf(
  headers: Record<string, string | string[] | undefined>,
  parameter?: string,
): string | undefined {
  const header = headers[JOB_TOKEN_HEADER]
  return parameter || (typeof header === 'string' ? header : undefined)
}

/**
 * The running job that the token belongs to. Throws 403. The token that a job had until it ended gets the status of the
 * job with it, which tells the runner to stop (runner protocol, 3.2); a wrong token gets the answer of a job that does not
 * exist.
 */
export async function authenticateJob(
  database: Database,
  jobId: number,
  token: string | undefined,
): Promise<JobRow> {
  const job = token === undefined ? undefined : await findJob(database, jobId)
  if (!job || tokenOf(job) !== tokenDigest(token ?? '')) throw forbidden()
  if (!isUnderWay(job)) throw notRunning(job)
  return job
}

/** 403 for a job that is no longer a runner's business. */
export function notRunning({ status }: JobRow): Error {
  return forbidden('Job is not running', { [JOB_STATUS_HEADER]: status })
}

/** The digest of the token that is valid, or of the last one. */
function tokenOf({ token_digest, ended_token_digest }: JobRow): string | null {
  return token_digest ?? ended_token_digest
}

function isUnderWay({ status, token_digest }: JobRow): boolean {
  return (status === 'running' || status === 'canceling') && token_digest !== null
}
