import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Deploy freezes: periods in which the pipelines of a project are marked. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  await id(db.schema.createTable('freeze_period'))
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('freeze_start', 'text', (c) => c.notNull())
    .addColumn('freeze_end', 'text', (c) => c.notNull())
    .addColumn('cron_timezone', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('freeze_period_by_project')
    .on('freeze_period')
    .columns(['project_id', 'id'])
    .execute()
  await db.schema
    .alterTable('pipeline')
    .addColumn('deploy_freeze', 'boolean', (c) => c.notNull().defaultTo(false))
    .execute()
}
