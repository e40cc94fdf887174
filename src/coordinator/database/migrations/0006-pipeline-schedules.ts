import { type Kysely, sql } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Pipeline schedules (API, I2). */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  const { schema } = db

  await id(schema.createTable('pipeline_schedule'))
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('owner_id', 'bigint', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('ref', 'text', (c) => c.notNull())
    .addColumn('cron', 'text', (c) => c.notNull())
    .addColumn('cron_timezone', 'text', (c) => c.notNull())
    .addColumn('next_run_at', 'bigint')
    .addColumn('active', 'boolean', (c) => c.notNull())
    .addColumn('last_failure', 'text')
    .addColumn('played_at', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .execute()
  await index('pipeline_schedule', 'project_id')
  await index('pipeline_schedule', 'owner_id')
  await index('pipeline_schedule', 'next_run_at')

  await id(schema.createTable('pipeline_schedule_variable'))
    .addColumn('schedule_id', 'bigint', (c) =>
      c.notNull().references('pipeline_schedule.id').onDelete('cascade'),
    )
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('value_encrypted', 'text', (c) => c.notNull())
    .addColumn('variable_type', 'text', (c) => c.notNull())
    .addUniqueConstraint('pipeline_schedule_variable_once', ['schedule_id', 'key'])
    .execute()

  await schema
    .alterTable('pipeline')
    .addColumn('pipeline_schedule_id', 'bigint', (c) =>
      c.references('pipeline_schedule.id').onDelete('set null'),
    )
    .execute()
  // Most pipelines have no schedule.
  await sql`create index pipeline_by_schedule on pipeline (pipeline_schedule_id) where pipeline_schedule_id is not null`.execute(
    db,
  )

  function index(table: string, column: string): Promise<void> {
    return schema.createIndex(`${table}_by_${column}`).on(table).column(column).execute()
  }
}
