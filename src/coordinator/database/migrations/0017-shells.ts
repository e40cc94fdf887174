import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { executeStatements } from './execute-statements.js'

/** Shells of coordinators that were killed end, and projects hold failed jobs by default. */
export async function up(db: Kysely<unknown>, _dialect: DialectName): Promise<void> {
  await executeStatements(
    db,
    `
alter table job_terminal add column seen_at bigint;
create index job_terminal_open on job_terminal (created_at) where ended_at is null;
alter table project add column hold_failed_jobs_minimum_role text not null default 'no_one_allowed';
`,
  )
}
