import type { Kysely } from 'kysely'

/** Projects whose secure files are for jobs on protected refs alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('project')
    .addColumn('secure_files_protected_refs_only', 'boolean', (c) => c.notNull().defaultTo(false))
    .execute()
}
