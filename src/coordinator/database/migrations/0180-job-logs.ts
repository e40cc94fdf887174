import { type Kysely, sql } from 'kysely'

/** Finds the jobs with the oldest logs. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`create index job_with_log on job (finished_at) where trace_bytes is not null`.execute(database)
}
