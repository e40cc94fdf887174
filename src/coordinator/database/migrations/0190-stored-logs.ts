import type { Kysely } from 'kysely'

/** Logs of finished jobs in the blob store, and those on their way there. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  // No references: the files of a job are deleted after its row.
  await schema
    .createTable('stored_log')
    .addColumn('job_id', 'bigint', (c) => c.primaryKey())
    .addColumn('project_id', 'bigint', (c) => c.notNull())
    .addColumn('upload_key', 'text')
    .addColumn('upload_started_at', 'bigint')
    .addColumn('blob_key', 'text')
    .addColumn('times_key', 'text')
    .addColumn('size', 'bigint', (c) => c.notNull())
    .execute()
  await schema.createIndex('stored_log_project_id').on('stored_log').column('project_id').execute()
}
