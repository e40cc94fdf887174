import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Project exports, which are built in the background and kept for some time (API, C2). */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  await id(db.schema.createTable('project_export'))
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().unique().references('project.id').onDelete('cascade'),
    )
    .addColumn('description', 'text')
    .addColumn('requested_at', 'bigint')
    .addColumn('claimed_until', 'bigint')
    .addColumn('blob_key', 'text')
    .addColumn('size', 'bigint')
    .addColumn('stale_key', 'text')
    .addColumn('finished_at', 'bigint')
    .addColumn('error', 'text')
    .execute()
}
