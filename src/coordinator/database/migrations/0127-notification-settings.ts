import { type Kysely, sql } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** About what users want mails: in general, and in single groups and projects. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  await id(db.schema.createTable('notification_setting'))
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('group_id', 'bigint', (c) => c.references('namespace.id').onDelete('cascade'))
    .addColumn('project_id', 'bigint', (c) => c.references('project.id').onDelete('cascade'))
    .addColumn('level', 'text', (c) => c.notNull())
    .addColumn('notification_email', 'text')
    .addColumn('events', 'text', (c) => c.notNull().defaultTo('{}'))
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .execute()
  const unique = (name: string, columns: string[]) =>
    db.schema.createIndex(name).on('notification_setting').columns(columns).unique()
  await unique('notification_setting_of_user', ['user_id'])
    .where(sql.ref('group_id'), 'is', null)
    .where(sql.ref('project_id'), 'is', null)
    .execute()
  await unique('notification_setting_of_group', ['group_id', 'user_id']).execute()
  await unique('notification_setting_of_project', ['project_id', 'user_id']).execute()
}
