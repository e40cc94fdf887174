import type { JobPayload } from '../../../../protocol/job-payload.js'
import type { SecretBox } from '../../../crypto/secret-box.js'
import type { Database } from '../../../database/connect.js'
import { keyedRead } from '../../../database/keyed-read.js'

export interface TraceSecretsDeps {
  database: Database
  secrets: SecretBox
}

/**
 * The secrets in a payload that its trace must not show: masked variables, other tokens of the job, and
 * registry passwords. The job token is left out, because each patch contains it.
 */
export function secretsInPayload({ token, variables, credentials }: JobPayload): string[] {
  const masked = variables.filter((variable) => variable.masked === true).map(({ value }) => value)
  const passwords = (credentials ?? []).map(({ password }) => password)
  return [...new Set([...masked, ...passwords])].filter((value) => value !== '' && !value.includes(token))
}

/** Stores the secrets of a dispatched job, for the lifetime of its lease. */
export async function storeTraceSecrets(
  { database, secrets }: TraceSecretsDeps,
  jobId: number,
  values: readonly string[],
): Promise<void> {
  if (values.length === 0) return
  const encrypted = secrets.encrypt(JSON.stringify(values))
  await database
    .insertInto('trace_secret')
    .columns(['job_id', 'secrets_encrypted'])
    // The job may have ended already: without a lease nothing is stored.
    .expression((from) =>
      from
        .selectFrom('lease')
        .select((select) => ['job_id', select.val(encrypted).as('secrets_encrypted')])
        .where('job_id', '=', jobId),
    )
    .onConflict((conflict) =>
      conflict.column('job_id').doUpdateSet((row) => ({
        secrets_encrypted: row.ref('excluded.secrets_encrypted'),
      })),
    )
    .execute()
}

/** Empty for a job without secrets or without a lease. */
export async function findTraceSecrets(
  { database, secrets }: TraceSecretsDeps,
  jobId: number,
): Promise<string[]> {
  const row = await secretsOfJob(database, jobId)
  return row ? (JSON.parse(secrets.decrypt(row.secrets_encrypted)) as string[]) : []
}

const secretsOfJob = keyedRead('job_id', (database) => database.selectFrom('trace_secret').selectAll())
