import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Repositories from which projects take over branches and tags, again and again. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  await id(db.schema.createTable('pull_mirror'))
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().unique().references('project.id').onDelete('cascade'),
    )
    .addColumn('user_id', 'bigint', (c) => c.references('user.id').onDelete('set null'))
    .addColumn('url_encrypted', 'text', (c) => c.notNull())
    .addColumn('enabled', 'boolean', (c) => c.notNull())
    .addColumn('only_protected_branches', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('overwrites_diverged', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('triggers_pipelines', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('update_status', 'text', (c) => c.notNull().defaultTo('none'))
    .addColumn('last_error', 'text')
    .addColumn('last_update_at', 'bigint')
    .addColumn('last_update_started_at', 'bigint')
    .addColumn('last_successful_update_at', 'bigint')
    .addColumn('due_at', 'bigint', (c) => c.notNull())
    .addColumn('claimed_until', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('pull_mirror_of_user').on('pull_mirror').column('user_id').execute()
  await db.schema
    .alterTable('project')
    .addColumn('mirror', 'boolean', (c) => c.notNull().defaultTo(false))
    .execute()
}
