import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Snapshots of releases. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  await id(db.schema.createTable('release_evidence'))
    .addColumn('release_id', 'bigint', (c) => c.notNull().references('release.id').onDelete('cascade'))
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('summary', 'text', (c) => c.notNull())
    .addColumn('collected_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('release_evidence_of_release')
    .on('release_evidence')
    .columns(['release_id', 'id'])
    .execute()
  await db.schema.alterTable('release').addColumn('evidence_due_at', 'bigint').execute()
  await db.schema
    .createIndex('release_by_evidence_due_at')
    .on('release')
    .column('evidence_due_at')
    .where('evidence_due_at', 'is not', null)
    .execute()
}
