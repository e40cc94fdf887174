import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Access to refs beyond member roles, and comments on commits. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id, json } = columnKinds(dialect)
  const { schema } = db

  await id(schema.createTable('protected_ref_access'))
    .addColumn('protected_ref_id', 'bigint', (c) =>
      c.notNull().references('protected_ref.id').onDelete('cascade'),
    )
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('user_id', 'bigint', (c) => c.references('user.id').onDelete('cascade'))
    .addColumn('group_id', 'bigint', (c) => c.references('namespace.id').onDelete('cascade'))
    .execute()
  await schema
    .createIndex('protected_ref_access_by_ref')
    .on('protected_ref_access')
    .column('protected_ref_id')
    .execute()

  await id(schema.createTable('deploy_token'))
    .addColumn('project_id', 'bigint', (c) => c.references('project.id').onDelete('cascade'))
    .addColumn('namespace_id', 'bigint', (c) => c.references('namespace.id').onDelete('cascade'))
    .addColumn('creator_id', 'bigint', (c) => c.references('user.id').onDelete('set null'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('username', 'text', (c) => c.notNull())
    .addColumn('digest', 'text', (c) => c.notNull().unique())
    .addColumn('scopes', json, (c) => c.notNull())
    .addColumn('revoked', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('expires_at', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await schema
    .createIndex('deploy_token_by_project')
    .on('deploy_token')
    .columns(['project_id', 'id'])
    .execute()
  await schema
    .createIndex('deploy_token_by_namespace')
    .on('deploy_token')
    .columns(['namespace_id', 'id'])
    .execute()

  await id(schema.createTable('deploy_key'))
    .addColumn('creator_id', 'bigint', (c) => c.references('user.id').onDelete('set null'))
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('fingerprint', 'text', (c) => c.notNull())
    .addColumn('fingerprint_sha256', 'text', (c) => c.notNull().unique())
    .addColumn('expires_at', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await schema
    .createTable('deploy_key_project')
    .addColumn('deploy_key_id', 'bigint', (c) => c.notNull().references('deploy_key.id').onDelete('cascade'))
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('can_push', 'boolean', (c) => c.notNull().defaultTo(false))
    .addPrimaryKeyConstraint('deploy_key_project_once', ['project_id', 'deploy_key_id'])
    .execute()

  await id(schema.createTable('commit_comment'))
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('sha', 'text', (c) => c.notNull())
    .addColumn('author_id', 'bigint', (c) => c.references('user.id').onDelete('set null'))
    .addColumn('note', 'text', (c) => c.notNull())
    .addColumn('path', 'text')
    .addColumn('line', 'integer')
    .addColumn('line_type', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await schema
    .createIndex('commit_comment_by_commit')
    .on('commit_comment')
    .columns(['project_id', 'sha', 'id'])
    .execute()
}
