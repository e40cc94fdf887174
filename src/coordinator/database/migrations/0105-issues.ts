import { type Kysely, sql } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Issues, their assignees, subscriptions and links, and the counts of a project. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  await createIssues(db, dialect)
  await createPeople(db)
  await createLinks(db, dialect)
  for (const column of ['issue_count', 'open_issue_count', 'open_confidential_issue_count']) {
    await db.schema
      .alterTable('project')
      .addColumn(column, 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  }
}

async function createIssues(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  await id(db.schema.createTable('issue'))
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('iid', 'bigint', (c) => c.notNull())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('description', 'text')
    .addColumn('state', 'text', (c) => c.notNull().defaultTo('opened'))
    .addColumn('issue_type', 'text', (c) => c.notNull().defaultTo('issue'))
    .addColumn('author_id', 'bigint', (c) => c.notNull().references('user.id'))
    .addColumn('confidential', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('discussion_locked', 'boolean')
    .addColumn('milestone_id', 'bigint', (c) => c.references('milestone.id').onDelete('set null'))
    .addColumn('due_date', 'text')
    .addColumn('weight', 'integer')
    .addColumn('relative_position', 'bigint')
    .addColumn('time_estimate', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('total_time_spent', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('closed_at', 'bigint')
    .addColumn('closed_by_id', 'bigint', (c) => c.references('user.id').onDelete('set null'))
    .addColumn('moved_to_id', 'bigint', (c) => c.references('issue.id').onDelete('set null'))
    .addColumn('updated_by_id', 'bigint', (c) => c.references('user.id').onDelete('set null'))
    .addColumn('last_edited_at', 'bigint')
    .addColumn('last_edited_by_id', 'bigint', (c) => c.references('user.id').onDelete('set null'))
    .addColumn('user_agent', 'text')
    .addColumn('ip_address', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('issue_of_project', ['project_id', 'iid'])
    .execute()
  // Lists of a project; the last columns are what most lists filter by.
  for (const column of ['created_at', 'updated_at']) {
    await createIndex(db, `issue_list_by_${column}`, ['project_id', column, 'id', 'state', 'confidential'])
    // Lists of several projects.
    await createIndex(db, `issue_by_${column}`, [column, 'id', 'project_id', 'state'])
  }
  await createIndex(db, 'issue_by_author', ['author_id', 'created_at', 'id'])
  const references = ['milestone_id', 'closed_by_id', 'moved_to_id', 'updated_by_id', 'last_edited_by_id']
  for (const column of references) await createIndex(db, `issue_by_${column}`, [column])
  // Rows without a value are last in both directions.
  for (const [column, first, last] of [
    ['due_date', "'0000-01-01'", "'9999-12-31'"],
    ['weight', '-1', '9999999999'],
    ['relative_position', '-9007199254740991', '9007199254740991'],
  ] as const) {
    for (const [direction, missing] of [
      ['asc', last],
      ['desc', first],
    ] as const) {
      await sql`
        create index ${sql.ref(`issue_list_by_${column}_${direction}`)} on issue
          (project_id, (coalesce(${sql.ref(column)}, ${sql.raw(missing)})), id)`.execute(db)
    }
  }
}

async function createPeople({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('issue_assignee')
    .addColumn('issue_id', 'bigint', (c) => c.notNull().references('issue.id').onDelete('cascade'))
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('position', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('issue_assignee_once', ['issue_id', 'user_id'])
    .execute()
  await schema
    .createIndex('issue_assignee_by_user')
    .on('issue_assignee')
    .columns(['user_id', 'issue_id'])
    .execute()
  await schema
    .createTable('issue_subscription')
    .addColumn('issue_id', 'bigint', (c) => c.notNull().references('issue.id').onDelete('cascade'))
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('subscribed', 'boolean', (c) => c.notNull())
    .addPrimaryKeyConstraint('issue_subscription_once', ['issue_id', 'user_id'])
    .execute()
  await schema
    .createIndex('issue_subscription_by_user')
    .on('issue_subscription')
    .columns(['user_id', 'issue_id'])
    .execute()
}

async function createLinks(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  await id(db.schema.createTable('issue_link'))
    .addColumn('source_id', 'bigint', (c) => c.notNull().references('issue.id').onDelete('cascade'))
    .addColumn('target_id', 'bigint', (c) => c.notNull().references('issue.id').onDelete('cascade'))
    .addColumn('link_type', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('issue_link_once', ['source_id', 'target_id'])
    .execute()
  await db.schema.createIndex('issue_link_by_target').on('issue_link').column('target_id').execute()
}

async function createIndex(db: Kysely<unknown>, name: string, columns: string[]): Promise<void> {
  await db.schema.createIndex(name).on('issue').columns(columns).execute()
}
