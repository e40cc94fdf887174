import { type Kysely, sql } from 'kysely'

/** Projects whose deletion is delayed by some days, and the names that they get back when restored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema.alterTable('project').addColumn('marked_for_deletion_at', 'bigint').execute()
  await schema.alterTable('project').addColumn('name_when_restored', 'text').execute()
  await schema.alterTable('project').addColumn('path_when_restored', 'text').execute()
  await sql`
    create index project_marked_for_deletion on project (marked_for_deletion_at)
      where marked_for_deletion_at is not null`.execute(db)
}
