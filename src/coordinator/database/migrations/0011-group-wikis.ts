import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { executeStatements } from './execute-statements.js'

/** Wikis of groups. */
export async function up(db: Kysely<unknown>, _dialect: DialectName): Promise<void> {
  await executeStatements(
    db,
    `
create table group_wiki (
  group_id bigint primary key references namespace (id) on delete cascade,
  head_sha text,
  size bigint not null,
  updated_at bigint not null
);
`,
  )
}
