import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnTypes } from './column-types.js'
import { executeStatements } from './execute-statements.js'

/** The projects that an OAuth grant is limited to. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { json } = columnTypes(dialect)
  await executeStatements(db, `alter table oauth_grant add column project_ids ${json};`)
}
