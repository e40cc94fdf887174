import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

const TEXTS = [
  ...['commit_message_regex', 'commit_message_negative_regex', 'branch_name_regex'],
  ...['author_email_regex', 'file_name_regex'],
]
const FLAGS = [
  ...['deny_delete_tag', 'member_check', 'prevent_secrets', 'commit_committer_check'],
  'reject_unsigned_commits',
]

/** Rules that pushed commits, branches and files must meet: of a project, or of a group for its new projects. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  let table = id(db.schema.createTable('push_rule'))
    .addColumn('project_id', 'bigint', (c) => c.references('project.id').onDelete('cascade').unique())
    .addColumn('group_id', 'bigint', (c) => c.references('namespace.id').onDelete('cascade').unique())
    .addColumn('max_file_size', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
  for (const name of TEXTS) table = table.addColumn(name as 'id', 'text')
  for (const name of FLAGS) {
    table = table.addColumn(name as 'id', 'boolean', (c) => c.notNull().defaultTo(false))
  }
  await table.execute()
}
