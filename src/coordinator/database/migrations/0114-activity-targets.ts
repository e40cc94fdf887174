import { type Kysely, sql } from 'kysely'

const TARGETS = ['issue', 'merge_request', 'milestone'] as const

/** Activity on issues, merge requests and milestones. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const target of TARGETS) {
    const column = `${target}_id`
    await db.schema
      .alterTable('activity')
      .addColumn(column, 'bigint', (c) => c.references(`${target}.id`).onDelete('cascade'))
      .execute()
    await sql`
      create index ${sql.id(`activity_by_${target}`)} on activity (${sql.id(column)})
        where ${sql.id(column)} is not null`.execute(db)
  }
}
