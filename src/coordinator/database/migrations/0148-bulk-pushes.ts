import { type Kysely, sql } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Activities about many refs of one push. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { json } = columnKinds(dialect)
  await db.schema.alterTable('activity').addColumn('push_action', 'text').execute()
  await db.schema.alterTable('activity').addColumn('ref_count', 'integer').execute()
  await db.schema
    .alterTable('push')
    .addColumn('bulk', json, (c) => c.notNull().defaultTo(sql`'[]'`))
    .execute()
}
