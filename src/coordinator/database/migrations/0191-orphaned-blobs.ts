import type { Kysely } from 'kysely'

/** Blobs that no row names, while they are being deleted. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('orphaned_blob')
    .addColumn('blob_key', 'text', (c) => c.primaryKey())
    .addColumn('marked_at', 'bigint', (c) => c.notNull())
    .execute()
}
