import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnTypes } from './column-types.js'
import { executeStatements } from './execute-statements.js'

/** Comments on merge requests that their authors have not published. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id, json } = columnTypes(dialect)
  await executeStatements(
    db,
    `
create table draft_note (
  id ${id},
  merge_request_id bigint not null references merge_request (id) on delete cascade,
  author_id bigint not null references "user" (id) on delete cascade,
  note text not null,
  -- The discussion to which it replies. No reference: discussions have no table.
  discussion_id text,
  resolve_discussion boolean,
  commit_id text,
  position ${json},
  line_code text,
  created_at bigint not null,
  updated_at bigint not null
);
create index draft_note_of on draft_note (merge_request_id, author_id, id);
create index draft_note_by_author on draft_note (author_id);
`,
  )
}
