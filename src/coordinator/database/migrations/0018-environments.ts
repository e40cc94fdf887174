import { type Kysely, sql } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Environments and deployments (CI language, 15). */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  const { schema } = db

  await id(schema.createTable('environment'))
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('slug', 'text', (c) => c.notNull())
    .addColumn('tier', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull().defaultTo('available'))
    .addColumn('external_url', 'text')
    .addColumn('description', 'text')
    .addColumn('auto_stop_at', 'bigint')
    .addColumn('auto_stop_setting', 'text', (c) => c.notNull().defaultTo('always'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('environment_once', ['project_id', 'name'])
    .addUniqueConstraint('environment_slug_once', ['project_id', 'slug'])
    .execute()
  // Few environments have a stop time.
  await sql`create index environment_by_auto_stop_at on environment (auto_stop_at) where auto_stop_at is not null`.execute(
    db,
  )

  await id(schema.createTable('deployment'))
    .addColumn('iid', 'integer', (c) => c.notNull())
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('environment_id', 'bigint', (c) =>
      c.notNull().references('environment.id').onDelete('cascade'),
    )
    .addColumn('job_id', 'bigint', (c) => c.references('job.id').onDelete('set null').unique())
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('user.id'))
    .addColumn('ref', 'text', (c) => c.notNull())
    .addColumn('tag', 'boolean', (c) => c.notNull())
    .addColumn('sha', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('on_stop', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addColumn('finished_at', 'bigint')
    .addUniqueConstraint('deployment_iid', ['project_id', 'iid'])
    .execute()
  await schema
    .createIndex('deployment_by_environment')
    .on('deployment')
    .columns(['environment_id', 'status', 'finished_at'])
    .execute()

  // Not a column of the project: the row of the project is locked before any pipeline, and this row after all
  // of them.
  await schema
    .createTable('deployment_counter')
    .addColumn('project_id', 'bigint', (c) => c.primaryKey().references('project.id').onDelete('cascade'))
    .addColumn('last_iid', 'integer', (c) => c.notNull())
    .execute()

  await schema
    .alterTable('job')
    .addColumn('environment_id', 'bigint', (c) => c.references('environment.id').onDelete('set null'))
    .execute()
  await schema.alterTable('job').addColumn('environment_action', 'text').execute()
  // Most jobs have no environment.
  await sql`create index job_by_environment on job (environment_id) where environment_id is not null`.execute(
    db,
  )

  await schema
    .alterTable('project')
    .addColumn('ci_forward_deployment_enabled', 'boolean', (c) => c.notNull().defaultTo(true))
    .execute()
  await schema
    .alterTable('project')
    .addColumn('ci_forward_deployment_rollback_allowed', 'boolean', (c) => c.notNull().defaultTo(true))
    .execute()
}
