import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { executeStatements } from './execute-statements.js'

/** Sign-ins that a SAML provider has proven, until the browser comes to the callback. */
export async function up(db: Kysely<unknown>, _dialect: DialectName): Promise<void> {
  await executeStatements(
    db,
    `
create table proven_sign_in (
  digest text primary key,
  provider text not null,
  content_encrypted text not null,
  expires_at bigint not null
);
create index proven_sign_in_end on proven_sign_in (expires_at);
`,
  )
}
