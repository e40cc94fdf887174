import { type Kysely, sql } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Trigger jobs, downstream pipelines, and tasks between pipelines (CI language, 13). */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  const { schema } = db

  await schema
    .alterTable('job')
    .addColumn('kind', 'text', (c) => c.notNull().defaultTo('build'))
    .execute()
  await schema.alterTable('job').addColumn('downstream_errors', 'text').execute()
  await schema
    .alterTable('pipeline_variable')
    .addColumn('raw', 'boolean', (c) => c.notNull().defaultTo(false))
    .execute()

  // No references to upstream rows: a downstream pipeline keeps its origin after the upstream one is deleted.
  await schema
    .createTable('downstream_pipeline')
    .addColumn('pipeline_id', 'bigint', (c) => c.primaryKey().references('pipeline.id').onDelete('cascade'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('strategy', 'text')
    .addColumn('upstream_job_id', 'bigint', (c) => c.notNull())
    .addColumn('upstream_pipeline_id', 'bigint', (c) => c.notNull())
    .addColumn('upstream_project_id', 'bigint', (c) => c.notNull())
    .addColumn('depth', 'integer', (c) => c.notNull())
    .addColumn('root_id', 'bigint', (c) => c.notNull())
    .addColumn('hierarchy_root_id', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await index('downstream_pipeline', ['upstream_job_id'])
  await index('downstream_pipeline', ['upstream_pipeline_id'])
  await index('downstream_pipeline', ['upstream_project_id', 'created_at'])
  await index('downstream_pipeline', ['hierarchy_root_id'])

  await schema
    .createTable('mirrored_pipeline')
    .addColumn('job_id', 'bigint', (c) => c.primaryKey().references('job.id').onDelete('cascade'))
    .addColumn('pipeline_id', 'bigint', (c) => c.notNull().references('pipeline.id').onDelete('cascade'))
    .execute()
  await index('mirrored_pipeline', ['pipeline_id'])

  // No references: a task whose subject was deleted has nothing to do.
  await id(schema.createTable('bridge_task'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('subject_id', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await index('bridge_task', ['subject_id'])
  // Few jobs are trigger jobs.
  await sql`create index job_bridge_by_status on job (status) where kind = 'bridge'`.execute(db)

  async function index(table: string, columns: string[]): Promise<void> {
    await schema
      .createIndex(`${table}_by_${columns.join('_and_')}`)
      .on(table)
      .columns(columns)
      .execute()
  }
}
