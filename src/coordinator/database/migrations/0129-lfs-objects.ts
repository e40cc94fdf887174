import { type Kysely, sql } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/**
 * Git LFS objects and file locks of projects. Until now `lfs_enabled` had no effect and was off by default;
 * from now on it is on by default.
 */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  await id(db.schema.createTable('lfs_object'))
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('oid', 'text', (c) => c.notNull())
    .addColumn('size', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('lfs_object_by_oid', ['project_id', 'oid'])
    .execute()
  await id(db.schema.createTable('lfs_lock'))
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('locked_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('lfs_lock_by_path', ['project_id', 'path'])
    .execute()
  await db.schema.createIndex('lfs_lock_by_user').on('lfs_lock').column('user_id').execute()
  await sql`update project set lfs_enabled = true`.execute(db)
}
