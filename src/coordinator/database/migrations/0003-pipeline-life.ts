import { type Kysely, sql } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Columns for delayed jobs, redundant pipelines and automatic cancellation (CI language, 11.4 and 12). */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { json } = columnKinds(dialect)
  const { schema } = db

  await schema
    .alterTable('project')
    .addColumn('auto_cancel_pending_pipelines', 'boolean', (c) => c.notNull().defaultTo(true))
    .execute()

  await schema.alterTable('pipeline').addColumn('name', 'text').execute()
  await schema
    .alterTable('pipeline')
    .addColumn('warnings', json, (c) => c.notNull().defaultTo('[]'))
    .execute()
  await schema
    .alterTable('pipeline')
    .addColumn('on_new_commit', 'text', (c) => c.notNull().defaultTo('conservative'))
    .execute()
  await schema
    .alterTable('pipeline')
    .addColumn('on_job_failure', 'text', (c) => c.notNull().defaultTo('none'))
    .execute()
  // No references: the value is kept when the newer pipeline is deleted, and the deletion does not search
  // jobs.
  await schema.alterTable('pipeline').addColumn('auto_canceled_by_id', 'bigint').execute()

  await schema.alterTable('job').addColumn('auto_canceled_by_id', 'bigint').execute()
  await schema
    .alterTable('job')
    .addColumn('interruptible', 'boolean', (c) => c.notNull().defaultTo(false))
    .execute()
  await schema.alterTable('job').addColumn('start_in', 'integer').execute()
  await schema.alterTable('job').addColumn('scheduled_at', 'bigint').execute()
  // Few jobs are scheduled: with this index, the timer finds the next one without reading the others.
  await sql`create index job_by_scheduled_at on job (scheduled_at) where scheduled_at is not null`.execute(db)
}
