import { type CreateTableBuilder, type Kysely, sql } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Merge requests, their people, labels, versions and approvals, and the counts of a project. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  await createMergeRequests(db, dialect)
  await createIndexes(db)
  await createPeople(db)
  await createParts(db, dialect)
  for (const column of ['merge_request_count', 'open_merge_request_count']) {
    await db.schema
      .alterTable('project')
      .addColumn(column, 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  }
}

async function createMergeRequests(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  await id(db.schema.createTable('merge_request'))
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('iid', 'bigint', (c) => c.notNull())
    .addColumn('source_project_id', 'bigint', (c) => c.references('project.id').onDelete('set null'))
    .addColumn('source_branch', 'text', (c) => c.notNull())
    .addColumn('target_branch', 'text', (c) => c.notNull())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('description', 'text')
    .addColumn('state', 'text', (c) => c.notNull().defaultTo('opened'))
    .addColumn('draft', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('author_id', 'bigint', (c) => c.notNull().references('user.id'))
    .addColumn('milestone_id', 'bigint', (c) => c.references('milestone.id').onDelete('set null'))
    .addColumn('discussion_locked', 'boolean')
    .addColumn('squash', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('force_remove_source_branch', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('allow_collaboration', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('head_sha', 'text')
    .addColumn('merge_status', 'text', (c) => c.notNull().defaultTo('unchecked'))
    .addColumn('checked_head_sha', 'text')
    .addColumn('checked_target_sha', 'text')
    .addColumn('merge_error', 'text')
    .addColumn('rebase_in_progress', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('merge_when_pipeline_succeeds', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('merge_user_id', 'bigint', (c) => c.references('user.id').onDelete('set null'))
    .addColumn('merge_params', 'text')
    .addColumn('in_progress_merge_sha', 'text')
    .addColumn('merge_commit_sha', 'text')
    .addColumn('squash_commit_sha', 'text')
    .addColumn('merged_at', 'bigint')
    .addColumn('merged_by_id', 'bigint', (c) => c.references('user.id').onDelete('set null'))
    .addColumn('closed_at', 'bigint')
    .addColumn('closed_by_id', 'bigint', (c) => c.references('user.id').onDelete('set null'))
    .addColumn('time_estimate', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('total_time_spent', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('updated_by_id', 'bigint', (c) => c.references('user.id').onDelete('set null'))
    .addColumn('last_edited_at', 'bigint')
    .addColumn('last_edited_by_id', 'bigint', (c) => c.references('user.id').onDelete('set null'))
    .addColumn('prepared_at', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('merge_request_of_project', ['project_id', 'iid'])
    .execute()
}

async function createIndexes(db: Kysely<unknown>): Promise<void> {
  // Lists of a project; the last columns are what most lists filter by.
  for (const column of ['created_at', 'updated_at']) {
    await createIndex(db, `merge_request_list_by_${column}`, ['project_id', column, 'id', 'state'])
    // Lists of several projects.
    await createIndex(db, `merge_request_by_${column}`, [column, 'id', 'project_id', 'state'])
  }
  await createIndex(db, 'merge_request_by_author', ['author_id', 'created_at', 'id'])
  // What a moved branch concerns.
  await createIndex(db, 'merge_request_by_source', ['source_project_id', 'source_branch', 'state'])
  await createIndex(db, 'merge_request_by_target', ['project_id', 'target_branch', 'state'])
  await createIndex(db, 'merge_request_by_head', ['project_id', 'head_sha'])
  await createIndex(db, 'merge_request_by_merge_commit', ['project_id', 'merge_commit_sha'])
  const references = ['milestone_id', 'merge_user_id', 'merged_by_id', 'closed_by_id']
  for (const column of [...references, 'updated_by_id', 'last_edited_by_id']) {
    await createIndex(db, `merge_request_by_${column}`, [column])
  }
  // One open merge request for a pair of branches.
  await sql`
    create unique index merge_request_open_once on merge_request
      (source_project_id, source_branch, project_id, target_branch)
      where state in ('opened', 'locked')`.execute(db)
}

async function createIndex(db: Kysely<unknown>, name: string, columns: string[]): Promise<void> {
  await db.schema.createIndex(name).on('merge_request').columns(columns).execute()
}

async function createPeople(db: Kysely<unknown>): Promise<void> {
  await ofUser(db, 'merge_request_assignee', (table) =>
    table.addColumn('position', 'integer', (c) => c.notNull()),
  )
  await ofUser(db, 'merge_request_reviewer', (table) =>
    table
      .addColumn('position', 'integer', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull().defaultTo('unreviewed'))
      .addColumn('created_at', 'bigint', (c) => c.notNull()),
  )
  await ofUser(db, 'merge_request_subscription', (table) =>
    table.addColumn('subscribed', 'boolean', (c) => c.notNull()),
  )
  await ofUser(db, 'merge_request_approval', (table) =>
    table.addColumn('created_at', 'bigint', (c) => c.notNull()),
  )
}

type NewTable = CreateTableBuilder<string, string>

/** A table with one row for each merge request and user. */
async function ofUser(
  { schema }: Kysely<unknown>,
  name: string,
  addColumns: (table: NewTable) => NewTable,
): Promise<void> {
  const table = schema
    .createTable(name)
    .addColumn('merge_request_id', 'bigint', (c) =>
      c.notNull().references('merge_request.id').onDelete('cascade'),
    )
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('user.id').onDelete('cascade'))
  await addColumns(table).addPrimaryKeyConstraint(`${name}_once`, ['merge_request_id', 'user_id']).execute()
  await schema.createIndex(`${name}_by_user`).on(name).columns(['user_id', 'merge_request_id']).execute()
}

async function createParts(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  for (const [name, column, target] of [
    ['merge_request_label', 'label_id', 'label.id'],
    ['merge_request_closes_issue', 'issue_id', 'issue.id'],
  ] as const) {
    await db.schema
      .createTable(name)
      .addColumn('merge_request_id', 'bigint', (c) =>
        c.notNull().references('merge_request.id').onDelete('cascade'),
      )
      .addColumn(column, 'bigint', (c) => c.notNull().references(target).onDelete('cascade'))
      .addPrimaryKeyConstraint(`${name}_once`, ['merge_request_id', column])
      .execute()
    await db.schema
      .createIndex(`${name}_by_${column}`)
      .on(name)
      .columns([column, 'merge_request_id'])
      .execute()
  }
  await id(db.schema.createTable('merge_request_version'))
    .addColumn('merge_request_id', 'bigint', (c) =>
      c.notNull().references('merge_request.id').onDelete('cascade'),
    )
    .addColumn('head_sha', 'text', (c) => c.notNull())
    .addColumn('base_sha', 'text', (c) => c.notNull())
    .addColumn('start_sha', 'text', (c) => c.notNull())
    .addColumn('commit_count', 'integer', (c) => c.notNull())
    .addColumn('file_count', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('merge_request_version_of')
    .on('merge_request_version')
    .columns(['merge_request_id', 'id'])
    .execute()
  await id(db.schema.createTable('merge_request_refresh'))
    .addColumn('merge_request_id', 'bigint', (c) =>
      c.notNull().unique().references('merge_request.id').onDelete('cascade'),
    )
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('pushed_by_id', 'bigint', (c) => c.references('user.id').onDelete('set null'))
    .addColumn('generation', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('claimed_until', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  for (const column of ['project_id', 'pushed_by_id']) {
    await db.schema
      .createIndex(`merge_request_refresh_by_${column}`)
      .on('merge_request_refresh')
      .column(column)
      .execute()
  }
}
