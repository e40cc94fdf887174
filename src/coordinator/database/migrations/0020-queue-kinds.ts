import type { Kysely } from 'kysely'

/** Leads from one kind of waiting job to the next, whatever their projects (ci/queue/find-partition-heads.ts). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('queue_entry_kind')
    .on('queue_entry')
    .columns(['tag_set_id', 'protected', 'instance_runners_allowed', 'job_id'])
    .execute()
}
