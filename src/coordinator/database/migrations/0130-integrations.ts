import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Integrations of projects with other services. Those that send events have a webhook of their own. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  await id(db.schema.createTable('integration'))
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('slug', 'text', (c) => c.notNull())
    .addColumn('active', 'boolean', (c) => c.notNull().defaultTo(true))
    .addColumn('properties', 'text', (c) => c.notNull().defaultTo('{}'))
    .addColumn('secrets_encrypted', 'text')
    .addColumn('events', 'text', (c) => c.notNull().defaultTo('{}'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('integration_of_project')
    .on('integration')
    .columns(['project_id', 'slug'])
    .unique()
    .execute()
  await db.schema
    .alterTable('web_hook')
    .addColumn('integration_id', 'bigint', (c) => c.references('integration.id').onDelete('cascade'))
    .execute()
  await db.schema.createIndex('web_hook_of_integration').on('web_hook').column('integration_id').execute()
}
