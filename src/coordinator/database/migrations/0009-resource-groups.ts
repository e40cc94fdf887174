import { type Kysely, sql } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Resource groups, which one job at a time may hold (CI language, 12.8). */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  const { schema } = db

  await id(schema.createTable('resource_group'))
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('process_mode', 'text', (c) => c.notNull().defaultTo('unordered'))
    .addColumn('job_id', 'bigint', (c) => c.references('job.id').onDelete('set null'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('resource_group_once', ['project_id', 'key'])
    .execute()
  await schema.createIndex('resource_group_by_job').on('resource_group').column('job_id').execute()

  await schema
    .alterTable('job')
    .addColumn('resource_group_id', 'bigint', (c) => c.references('resource_group.id').onDelete('set null'))
    .execute()
  // Most jobs have no resource group.
  await sql`create index job_by_resource_group on job (resource_group_id, status) where resource_group_id is not null`.execute(
    db,
  )
}
