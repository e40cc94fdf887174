import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Remote mirrors: repositories to which projects are pushed (API, C2). */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  const { schema } = db

  await id(schema.createTable('remote_mirror'))
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('url_encrypted', 'text', (c) => c.notNull())
    .addColumn('enabled', 'boolean', (c) => c.notNull())
    .addColumn('only_protected_branches', 'boolean', (c) => c.notNull())
    .addColumn('keep_divergent_refs', 'boolean', (c) => c.notNull())
    .addColumn('update_status', 'text', (c) => c.notNull())
    .addColumn('last_error', 'text')
    .addColumn('last_update_at', 'bigint')
    .addColumn('last_update_started_at', 'bigint')
    .addColumn('last_successful_update_at', 'bigint')
    .addColumn('claimed_until', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await schema
    .createIndex('remote_mirror_by_project')
    .on('remote_mirror')
    .columns(['project_id', 'id'])
    .execute()
}
