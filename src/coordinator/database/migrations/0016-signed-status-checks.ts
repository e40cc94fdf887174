import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { executeStatements } from './execute-statements.js'

/** The key with which the requests to a status check are signed. */
export async function up(db: Kysely<unknown>, _dialect: DialectName): Promise<void> {
  await executeStatements(db, `alter table web_hook add column signing_key_encrypted text;`)
}
