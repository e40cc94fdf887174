import type { Kysely } from 'kysely'

/**
 * Priority of jobs within their project. It is also part of the partition key of the queue
 * (ci/queue/partitions.ts).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  for (const table of ['job', 'queue_entry']) {
    await schema
      .alterTable(table)
      .addColumn('priority', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  }
  await schema.dropIndex('queue_entry_lane').execute()
  await schema
    .createIndex('queue_entry_lane')
    .on('queue_entry')
    .columns(['project_id', 'tag_set_id', 'protected', 'instance_runners_allowed', 'priority', 'job_id'])
    .execute()
}
