import { type Kysely, sql } from 'kysely'

/** An index for the jobs that failed because of their runner, which are few. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index job_runner_failure on job (finished_at) where failure_reason = 'runner_system_failure'`.execute(
    db,
  )
}
