import type { Kysely } from 'kysely'

/** Projects that limit secure files to jobs on protected refs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('project')
    .addColumn('secure_files_protected_refs_only', 'boolean', (c) => c.notNull().defaultTo(false))
    .execute()
}
