import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Audit events (API, L4). They outlive the users and objects that they name, so they have no references. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id, json } = columnKinds(dialect)
  const { schema } = db

  await id(schema.createTable('audit_event'))
    .addColumn('author_id', 'bigint', (c) => c.notNull())
    .addColumn('entity_type', 'text', (c) => c.notNull())
    .addColumn('entity_id', 'bigint', (c) => c.notNull())
    .addColumn('details', json, (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await schema
    .createIndex('audit_event_by_entity')
    .on('audit_event')
    .columns(['entity_type', 'entity_id', 'id'])
    .execute()
  await schema.createIndex('audit_event_by_created_at').on('audit_event').column('created_at').execute()
}
