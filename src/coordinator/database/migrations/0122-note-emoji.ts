import type { Kysely } from 'kysely'

/** Emoji of comments. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('award_emoji')
    .addColumn('note_id', 'bigint', (c) => c.references('note.id').onDelete('cascade'))
    .execute()
  await schema
    .createIndex('award_emoji_of_note')
    .on('award_emoji')
    .columns(['note_id', 'user_id', 'name'])
    .unique()
    .execute()
}
