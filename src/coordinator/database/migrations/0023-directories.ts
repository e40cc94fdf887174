import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { executeStatements } from './execute-statements.js'

/** Since when users of a directory are gone there. */
export async function up(db: Kysely<unknown>, _dialect: DialectName): Promise<void> {
  await executeStatements(
    db,
    `
alter table user_identity add column gone_at bigint;
create index user_identity_gone on user_identity (user_id) where gone_at is not null;
`,
  )
}
