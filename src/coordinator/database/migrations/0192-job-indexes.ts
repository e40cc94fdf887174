import { type Kysely, sql } from 'kysely'

import type { DialectName } from '../connect.js'

/**
 * PostgreSQL writes each change of a job into all of its indexes. Those are dropped that other indexes replace, and the
 * others leave out jobs that nothing finds by them: successful ones, and those that no runner has. Queries of the release
 * before are slower without them, and as correct.
 *
 * - Running jobs of a runner are found by their leases.
 * - `job_state_in_pipeline` and `job_by_name_in_pipeline` begin with the pipeline too.
 */
export async function up(database: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { schema } = database
  for (const index of ['by_runner_id_and_status', 'list_of_pipeline', 'by_status', 'list_of_runner'])
    await schema.dropIndex(`job_${index}`).execute()
  // Queries repeat this condition literally, so that the index is used.
  await sql`create index job_list_by_status on job (status, project_id, id) where status <> 'success'`.execute(
    database,
  )
  await sql`create index job_list_of_runner on job (runner_id, id, kind, status, project_id)
    where runner_id is not null`.execute(database)
  if (dialect === 'postgres') await leaveOutEndedTokens(database)
}

/** In SQLite, the table would have to be written again. */
async function leaveOutEndedTokens(database: Kysely<unknown>): Promise<void> {
  await sql`alter table job drop constraint job_token_digest_key`.execute(database)
  await sql`create unique index job_token_digest_key on job (token_digest)
    where token_digest is not null`.execute(database)
}
