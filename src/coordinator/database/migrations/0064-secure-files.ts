import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Secure files: keys, certificates and similar files that jobs download, stored encrypted (API, I4). */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  await id(db.schema.createTable('secure_file'))
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('size', 'bigint', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('blob_key', 'text', (c) => c.notNull())
    .addColumn('seal', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('secure_file_by_name')
    .on('secure_file')
    .columns(['project_id', 'name'])
    .unique()
    .execute()
  await db.schema
    .createIndex('secure_file_by_project')
    .on('secure_file')
    .columns(['project_id', 'id'])
    .execute()
}
