import type { Kysely } from 'kysely'

/** How long jobs waited for a runner, as histograms, and how many runners had a job. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('queue_wait')
    .addColumn('resolution', 'integer', (c) => c.notNull())
    .addColumn('start_at', 'bigint', (c) => c.notNull())
    .addColumn('project_id', 'bigint', (c) => c.notNull())
    .addColumn('tag_set_id', 'bigint', (c) => c.notNull())
    .addColumn('runner_type', 'text', (c) => c.notNull())
    .addColumn('bucket', 'integer', (c) => c.notNull())
    .addColumn('jobs', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('queue_wait_pkey', [
      ...(['resolution', 'start_at', 'project_id', 'tag_set_id', 'runner_type', 'bucket'] as const),
    ])
    .execute()
  await schema
    .createIndex('queue_wait_by_project')
    .on('queue_wait')
    .columns(['project_id', 'start_at'])
    .execute()
  await schema
    .createTable('runner_wait')
    .addColumn('resolution', 'integer', (c) => c.notNull())
    .addColumn('start_at', 'bigint', (c) => c.notNull())
    .addColumn('runner_id', 'bigint', (c) => c.notNull())
    .addColumn('bucket', 'integer', (c) => c.notNull())
    .addColumn('jobs', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('runner_wait_pkey', ['resolution', 'start_at', 'runner_id', 'bucket'])
    .execute()
  await schema
    .createIndex('runner_wait_by_runner')
    .on('runner_wait')
    .columns(['runner_id', 'start_at'])
    .execute()
  await schema
    .createTable('runner_use')
    .addColumn('start_at', 'bigint', (c) => c.notNull())
    .addColumn('runner_id', 'bigint', (c) => c.notNull())
    .addColumn('samples', 'bigint', (c) => c.notNull())
    .addColumn('online', 'bigint', (c) => c.notNull())
    .addColumn('busy', 'bigint', (c) => c.notNull())
    .addColumn('jobs', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('runner_use_pkey', ['start_at', 'runner_id'])
    .execute()
}
