import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Mails that are to be sent, and changes about which mails are to be written. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id, json } = columnKinds(dialect)
  await id(db.schema.createTable('mail'))
    .addColumn('user_id', 'bigint', (c) => c.references('user.id').onDelete('cascade'))
    .addColumn('content_encrypted', 'text', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('due_at', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('mail_due').on('mail').columns(['due_at', 'id']).execute()
  await db.schema.createIndex('mail_of_user').on('mail').column('user_id').execute()
  await id(db.schema.createTable('mail_notice'))
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('facts', json, (c) => c.notNull())
    .addColumn('claimed_until', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('mail_notice_of_project').on('mail_notice').column('project_id').execute()
}
