import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnTypes } from './column-types.js'
import { executeStatements } from './execute-statements.js'

/** Messages of administrators on the pages. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id, json } = columnTypes(dialect)
  await executeStatements(
    db,
    `
create table broadcast_message (
  id ${id},
  message text not null,
  starts_at bigint not null,
  ends_at bigint not null,
  broadcast_type text not null,
  theme text not null,
  color text,
  font text,
  target_path text not null,
  target_access_levels ${json} not null,
  dismissable boolean not null,
  created_at bigint not null,
  updated_at bigint not null
);
create index broadcast_message_by_end on broadcast_message (ends_at);
`,
  )
}
