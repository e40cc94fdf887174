import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Imports of project archives, and records that could not be imported (API, C2). */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  for (const name of ['archive_key', 'settings', 'part', 'final_name', 'final_path'] as const) {
    await db.schema.alterTable('project_import').addColumn(name, 'text').execute()
  }
  await db.schema.alterTable('project_import').addColumn('overwrites_id', 'bigint').execute()
  await db.schema
    .alterTable('project_import')
    .addColumn('line', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema
    .alterTable('project_import')
    .addColumn('settled', 'boolean', (c) => c.notNull().defaultTo(false))
    .execute()
  await id(db.schema.createTable('project_import_problem'))
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('part', 'text', (c) => c.notNull())
    .addColumn('line', 'integer', (c) => c.notNull())
    .addColumn('message', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('project_import_problem_once', ['project_id', 'part', 'line'])
    .execute()
}
