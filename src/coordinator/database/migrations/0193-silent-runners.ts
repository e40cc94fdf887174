import { type Kysely, sql } from 'kysely'

/** An index for the jobs whose runner fell silent, beside that for other failures of runners. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index job_runner_silence on job (finished_at) where failure_reason = 'no_updates_running'`.execute(
    db,
  )
}
