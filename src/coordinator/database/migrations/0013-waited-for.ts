import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Pending reason of a job that failed as stuck. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { json } = columnKinds(dialect)
  await db.schema.alterTable('job').addColumn('waited_for', json).execute()
}
