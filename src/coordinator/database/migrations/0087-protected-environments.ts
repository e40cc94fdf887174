import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Protected environments, to which only some users deploy, and approvals of deployments. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  const { schema } = db
  await id(schema.createTable('protected_environment'))
    .addColumn('project_id', 'bigint', (c) => c.references('project.id').onDelete('cascade'))
    .addColumn('group_id', 'bigint', (c) => c.references('namespace.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('required_approval_count', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('protected_environment_of_project', ['project_id', 'name'])
    .addUniqueConstraint('protected_environment_of_group', ['group_id', 'name'])
    .execute()

  // An entry outlives its user or group, and then matches no one. Deleting it would silently remove a
  // deployment restriction or a required approval.
  await id(schema.createTable('protected_environment_entry'))
    .addColumn('protected_environment_id', 'bigint', (c) =>
      c.notNull().references('protected_environment.id').onDelete('cascade'),
    )
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('access_level', 'integer')
    .addColumn('user_id', 'bigint', (c) => c.references('user.id').onDelete('set null'))
    .addColumn('group_id', 'bigint', (c) => c.references('namespace.id').onDelete('set null'))
    .addColumn('group_inheritance_type', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('required_approvals', 'integer', (c) => c.notNull().defaultTo(1))
    .execute()
  for (const column of ['protected_environment_id', 'user_id', 'group_id']) {
    await schema
      .createIndex(`protected_environment_entry_by_${column}`)
      .on('protected_environment_entry')
      .column(column)
      .execute()
  }

  await id(schema.createTable('deployment_approval'))
    .addColumn('deployment_id', 'bigint', (c) => c.notNull().references('deployment.id').onDelete('cascade'))
    .addColumn('user_id', 'bigint', (c) => c.references('user.id').onDelete('set null'))
    .addColumn('entry_id', 'bigint', (c) =>
      c.references('protected_environment_entry.id').onDelete('set null'),
    )
    .addColumn('is_of_deployer', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('comment', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('deployment_approval_once', ['deployment_id', 'user_id'])
    .execute()
  for (const column of ['user_id', 'entry_id']) {
    await schema
      .createIndex(`deployment_approval_by_${column}`)
      .on('deployment_approval')
      .column(column)
      .execute()
  }
  await schema.alterTable('deployment').addColumn('approved_at', 'bigint').execute()
  await schema
    .alterTable('project')
    .addColumn('allow_pipeline_trigger_approve_deployment', 'boolean', (c) => c.notNull().defaultTo(false))
    .execute()
}
