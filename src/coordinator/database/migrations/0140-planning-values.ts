import type { Kysely } from 'kysely'

/**
 * Indexes with the values by which all issues or merge requests of a project are counted or ordered. They are a small part
 * of rows with long descriptions.
 */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.dropIndex('issue_list_by_state').execute()
  await schema
    .createIndex('issue_list_by_state')
    .on('issue')
    .columns([
      ...['project_id', 'state', 'confidential', 'author_id', 'milestone_id', 'created_at', 'updated_at'],
      ...['due_date', 'weight', 'issue_type', 'id'],
    ])
    .execute()
  await schema
    .createIndex('merge_request_list_by_milestone')
    .on('merge_request')
    .columns(['project_id', 'milestone_id', 'id', 'state'])
    .execute()
}
