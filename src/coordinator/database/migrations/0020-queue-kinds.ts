import type { Kysely } from 'kysely'

/** Index from one kind of pending job to the next, over all projects (ci/queue/find-partition-heads.ts). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('queue_entry_kind')
    .on('queue_entry')
    .columns(['tag_set_id', 'protected', 'instance_runners_allowed', 'job_id'])
    .execute()
}
