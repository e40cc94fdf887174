import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Commit statuses reported by other systems (API, E3). */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  const { schema } = db
  await id(schema.createTable('commit_status'))
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('pipeline_id', 'bigint', (c) => c.notNull().references('pipeline.id').onDelete('cascade'))
    .addColumn('stage_id', 'bigint', (c) => c.notNull().references('stage.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('ref', 'text', (c) => c.notNull())
    .addColumn('target_url', 'text')
    .addColumn('description', 'text')
    .addColumn('coverage', 'double precision')
    .addColumn('retried', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('user.id'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addColumn('started_at', 'bigint')
    .addColumn('finished_at', 'bigint')
    .execute()
  await index('commit_status', ['pipeline_id', 'name'])
  await index('commit_status', ['stage_id'])
  await index('commit_status', ['project_id'])
  await index('pipeline', ['project_id', 'sha'])

  async function index(table: string, columns: string[]): Promise<void> {
    await schema
      .createIndex(`${table}_by_${columns.join('_and_')}`)
      .on(table)
      .columns(columns)
      .execute()
  }
}
