import { type Kysely, sql } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Labels of projects and groups, their priorities in projects, and their subscribers. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  const { schema } = db
  await id(schema.createTable('label'))
    .addColumn('project_id', 'bigint', (c) => c.references('project.id').onDelete('cascade'))
    .addColumn('group_id', 'bigint', (c) => c.references('namespace.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('description', 'text')
    .addColumn('color', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    // Also the order of lists.
    .addUniqueConstraint('label_of_project', ['project_id', 'name'])
    .addUniqueConstraint('label_of_group', ['group_id', 'name'])
    .execute()

  await schema
    .createTable('label_priority')
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('label_id', 'bigint', (c) => c.notNull().references('label.id').onDelete('cascade'))
    .addColumn('priority', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('label_priority_once', ['project_id', 'label_id'])
    .execute()
  await schema.createIndex('label_priority_by_label_id').on('label_priority').column('label_id').execute()

  await id(schema.createTable('label_subscription'))
    .addColumn('label_id', 'bigint', (c) => c.notNull().references('label.id').onDelete('cascade'))
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('project_id', 'bigint', (c) => c.references('project.id').onDelete('cascade'))
    .execute()
  await sql`
    create unique index label_subscription_once on label_subscription
      (label_id, user_id, (coalesce(project_id, 0)))`.execute(db)
  for (const column of ['user_id', 'project_id']) {
    await schema
      .createIndex(`label_subscription_by_${column}`)
      .on('label_subscription')
      .column(column)
      .execute()
  }
}
