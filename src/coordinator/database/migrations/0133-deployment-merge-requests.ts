import { type Kysely, sql } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Merge requests that deployments have brought to their environments. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { schema } = db
  await schema
    .createTable('deployment_merge_request')
    .addColumn('deployment_id', 'bigint', (c) => c.notNull().references('deployment.id').onDelete('cascade'))
    .addColumn('merge_request_id', 'bigint', (c) =>
      c.notNull().references('merge_request.id').onDelete('cascade'),
    )
    .addColumn('environment_id', 'bigint', (c) =>
      c.notNull().references('environment.id').onDelete('cascade'),
    )
    .addColumn('finished_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('deployment_merge_request_once', ['deployment_id', 'merge_request_id'])
    .execute()
  for (const [name, columns] of [
    // Of one merge request, of one environment, and of a time.
    ['of', ['merge_request_id', 'environment_id', 'finished_at']],
    ['to', ['environment_id', 'finished_at', 'merge_request_id']],
    ['at', ['finished_at', 'merge_request_id', 'environment_id']],
  ] as const)
    await schema
      .createIndex(`deployment_merge_request_${name}`)
      .on('deployment_merge_request')
      .columns([...columns])
      .execute()
  await schema.createIndex('environment_by_name').on('environment').columns(['name', 'id']).execute()
  await sql`create index merge_request_by_squash_commit on merge_request (project_id, squash_commit_sha)
    where squash_commit_sha is not null`.execute(db)
  await createTasks(db, dialect)
}

async function createTasks(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  await columnKinds(dialect)
    .id(db.schema.createTable('deployment_merge_request_task'))
    .addColumn('deployment_id', 'bigint', (c) =>
      c.notNull().unique().references('deployment.id').onDelete('cascade'),
    )
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('claimed_until', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('deployment_merge_request_task_by_project')
    .on('deployment_merge_request_task')
    .column('project_id')
    .execute()
  // Projects without a merged merge request need none. What was deployed last is looked at first.
  await sql`
    insert into deployment_merge_request_task (deployment_id, project_id, created_at)
      select id, project_id, updated_at from deployment
        where status = 'success'
          and project_id in (select project_id from merge_request where state = 'merged')
        order by id desc`.execute(db)
}
