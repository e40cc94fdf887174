import { type Kysely, sql } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Milestones of projects and groups, and the milestones of releases. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  const { schema } = db
  await id(schema.createTable('milestone'))
    .addColumn('project_id', 'bigint', (c) => c.references('project.id').onDelete('cascade'))
    .addColumn('group_id', 'bigint', (c) => c.references('namespace.id').onDelete('cascade'))
    .addColumn('iid', 'bigint', (c) => c.notNull())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('description', 'text')
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('start_date', 'text')
    .addColumn('due_date', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('milestone_of_project', ['project_id', 'iid'])
    .addUniqueConstraint('milestone_of_group', ['group_id', 'iid'])
    .addUniqueConstraint('milestone_title_of_project', ['project_id', 'title'])
    .addUniqueConstraint('milestone_title_of_group', ['group_id', 'title'])
    .execute()
  await schema.createIndex('milestone_by_title').on('milestone').column('title').execute()
  // In the order of lists: by due date, the milestones without one last. The state is what most lists filter by.
  for (const [name, owner] of [
    ['milestone_list_of_project', 'project_id'],
    ['milestone_list_of_group', 'group_id'],
  ] as const) {
    await sql`
      create index ${sql.ref(name)} on milestone
        (${sql.ref(owner)}, (coalesce(due_date, '9999-12-31')), id desc, state)`.execute(db)
  }

  await schema
    .createTable('release_milestone')
    .addColumn('release_id', 'bigint', (c) => c.notNull().references('release.id').onDelete('cascade'))
    .addColumn('milestone_id', 'bigint', (c) => c.notNull().references('milestone.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('release_milestone_once', ['release_id', 'milestone_id'])
    .execute()
  await schema
    .createIndex('release_milestone_by_milestone_id')
    .on('release_milestone')
    .column('milestone_id')
    .execute()

  for (const table of ['project', 'namespace']) {
    await schema
      .alterTable(table)
      .addColumn('milestone_count', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  }
}
