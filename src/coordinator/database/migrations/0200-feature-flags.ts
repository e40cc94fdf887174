import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Feature flags of projects, the lists of users that they name, and the tokens of the applications that read them. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id, json } = columnKinds(dialect)
  await id(db.schema.createTable('feature_flag_user_list'))
    .addColumn('iid', 'bigint', (c) => c.notNull())
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('user_xids', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('feature_flag_user_list_iid', ['project_id', 'iid'])
    .addUniqueConstraint('feature_flag_user_list_name', ['project_id', 'name'])
    .execute()
  await id(db.schema.createTable('feature_flag'))
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('description', 'text')
    .addColumn('active', 'boolean', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('feature_flag_name', ['project_id', 'name'])
    .execute()
  await id(db.schema.createTable('feature_flag_strategy'))
    .addColumn('feature_flag_id', 'bigint', (c) =>
      c.notNull().references('feature_flag.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('parameters', json, (c) => c.notNull())
    .addColumn('scopes', json, (c) => c.notNull())
    .addColumn('user_list_id', 'bigint', (c) =>
      c.references('feature_flag_user_list.id').onDelete('set null'),
    )
    .execute()
  await db.schema
    .createTable('feature_flag_client')
    .addColumn('project_id', 'bigint', (c) => c.primaryKey().references('project.id').onDelete('cascade'))
    .addColumn('token_encrypted', 'text', (c) => c.notNull())
    .execute()
  for (const column of ['feature_flag_id', 'user_list_id'])
    await db.schema
      .createIndex(`feature_flag_strategy_by_${column}`)
      .on('feature_flag_strategy')
      .column(column)
      .execute()
}
