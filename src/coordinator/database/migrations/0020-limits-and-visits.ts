import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnTypes } from './column-types.js'
import { executeStatements } from './execute-statements.js'

/** The projects that an OAuth grant is limited to, and when the person in a shell has left. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { json } = columnTypes(dialect)
  await executeStatements(
    db,
    `
alter table oauth_grant add column project_ids ${json};
alter table job_terminal add column left_at bigint;
update job_terminal set left_at = coalesce(ended_at, opened_at) where opened_at is not null;
create index job_terminal_entered on job_terminal (opened_at) where opened_at is not null and left_at is null;
`,
  )
}
