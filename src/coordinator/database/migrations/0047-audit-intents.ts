import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/**
 * Audit intents: operations that have started. The audit event replaces the intent when the operation is done
 * (API, L4).
 */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id, json } = columnKinds(dialect)
  await id(db.schema.createTable('audit_intent'))
    .addColumn('event', json, (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
}
