import { type Kysely, sql } from 'kysely'

/** Star counts of projects, updated with each star, because lists are ordered by them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('project')
    .addColumn('star_count', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await sql`
    update project set star_count = (select count(*) from project_star where project_star.project_id = project.id)
  `.execute(db)
  await db.schema.createIndex('project_by_stars').on('project').columns(['star_count', 'id']).execute()
}
