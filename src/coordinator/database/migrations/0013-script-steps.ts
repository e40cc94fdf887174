import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { executeStatements } from './execute-statements.js'

/** How the lines of the scripts of a job ended, beside its log in the blob store. */
export async function up(db: Kysely<unknown>, _dialect: DialectName): Promise<void> {
  await executeStatements(db, 'alter table stored_log add column steps text;')
}
