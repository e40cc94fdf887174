import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnTypes } from './column-types.js'
import { executeStatements } from './execute-statements.js'

/** Commits that a merge request shows besides its own. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnTypes(dialect)
  await executeStatements(
    db,
    `
create table merge_request_context_commit (
  id ${id},
  merge_request_id bigint not null references merge_request (id) on delete cascade,
  sha text not null,
  created_at bigint not null,
  constraint merge_request_context_commit_once unique (merge_request_id, sha)
);
`,
  )
}
