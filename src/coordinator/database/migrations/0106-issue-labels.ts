import type { Kysely } from 'kysely'

/** Labels of issues. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('issue_label')
    .addColumn('issue_id', 'bigint', (c) => c.notNull().references('issue.id').onDelete('cascade'))
    .addColumn('label_id', 'bigint', (c) => c.notNull().references('label.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('issue_label_once', ['issue_id', 'label_id'])
    .execute()
  await schema
    .createIndex('issue_label_by_label')
    .on('issue_label')
    .columns(['label_id', 'issue_id'])
    .execute()
}
