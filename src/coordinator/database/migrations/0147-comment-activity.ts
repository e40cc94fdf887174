import { type Kysely, sql } from 'kysely'

/** Activity of comments. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('activity')
    .addColumn('note_id', 'bigint', (c) => c.references('note.id').onDelete('cascade'))
    .execute()
  await sql`create index activity_by_note on activity (note_id) where note_id is not null`.execute(db)
}
