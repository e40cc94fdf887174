import { tokenDigest } from '../../../../lib/tokens.js'
import type { SecretBox } from '../../../crypto/secret-box.js'
import type { Database } from '../../../database/connect.js'
import type { RunnerSession } from './read-session.js'

export interface RunnerSessionDeps {
  database: Database
  secrets: SecretBox
}

/** Stores the session of a dispatched job, for the lifetime of its lease. */
export async function storeRunnerSession(
  { database, secrets }: RunnerSessionDeps,
  { job, token }: { job: { id: number }; token: string },
  { url, certificate, authorization }: RunnerSession,
): Promise<void> {
  const authorization_encrypted = secrets.encrypt(authorization)
  await database
    .insertInto('runner_session')
    .columns(['job_id', 'url', 'certificate', 'authorization_encrypted'])
    // The job may have ended, or may be that of another runner by now: its lease is not that of this token then.
    .expression((from) =>
      from
        .selectFrom('lease')
        .innerJoin('job', 'job.id', 'lease.job_id')
        .select((select) => [
          'lease.job_id',
          select.val(url).as('url'),
          select.val(certificate).as('certificate'),
          select.val(authorization_encrypted).as('authorization_encrypted'),
        ])
        .where('lease.job_id', '=', job.id)
        .where('job.token_digest', '=', tokenDigest(token)),
    )
    .execute()
}

/** Whether the runner of the job has given a session. */
export async function hasRunnerSession(database: Database, jobId: number): Promise<boolean> {
  const row = await database
    .selectFrom('runner_session')
    .select('job_id')
    .where('job_id', '=', jobId)
    .executeTakeFirst()
  return row !== undefined
}

/** Undefined for a job that does not run, or whose runner has given none. */
export async function findRunnerSession(
  { database, secrets }: RunnerSessionDeps,
  jobId: number,
): Promise<RunnerSession | undefined> {
  const row = await database
    .selectFrom('runner_session')
    .selectAll()
    .where('job_id', '=', jobId)
    .executeTakeFirst()
  if (!row) return undefined
  const { url, certificate, authorization_encrypted } = row
  return { url, certificate, authorization: secrets.decrypt(authorization_encrypted) }
}
