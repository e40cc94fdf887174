import { type Kysely, sql } from 'kysely'

import type { DialectName } from '../connect.js'
import { columnKinds } from './column-kinds.js'

/** Test cases that failed, and the place of each test report in the history of its job. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id } = columnKinds(dialect)
  await addPlaceOfReports(db)
  await id(db.schema.createTable('test_case'))
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('digest', 'text', (c) => c.notNull())
    .addColumn('suite', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('classname', 'text', (c) => c.notNull())
    .addColumn('file', 'text')
    .addColumn('failed_at', 'bigint', (c) => c.notNull())
    .addColumn('flaky_at', 'bigint')
    .addUniqueConstraint('test_case_digest', ['project_id', 'digest'])
    .execute()
  await db.schema
    .createIndex('test_case_by_failure')
    .on('test_case')
    .columns(['project_id', 'failed_at', 'id'])
    .execute()
  await db.schema
    .createIndex('flaky_test_case_by_failure')
    .on('test_case')
    .columns(['project_id', 'failed_at', 'id'])
    .where(sql.ref('flaky_at'), 'is not', null)
    .execute()
  await db.schema
    .createTable('test_failure')
    .addColumn('case_id', 'bigint', (c) => c.notNull().references('test_case.id').onDelete('cascade'))
    .addColumn('job_id', 'bigint', (c) => c.notNull().references('job.id').onDelete('cascade'))
    .addColumn('pipeline_id', 'bigint', (c) => c.notNull())
    .addColumn('ref', 'text', (c) => c.notNull())
    .addColumn('tag', 'boolean', (c) => c.notNull())
    .addColumn('sha', 'text', (c) => c.notNull())
    .addColumn('flaky', 'boolean', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('test_failure_pkey', ['case_id', 'job_id'])
    .execute()
  await db.schema.createIndex('test_failure_job').on('test_failure').column('job_id').execute()
  await db.schema.createIndex('test_failure_age').on('test_failure').column('created_at').execute()
}

/** Reports of before have no place, so the history begins now. */
async function addPlaceOfReports({ schema }: Kysely<unknown>): Promise<void> {
  for (const [column, type] of [
    ['project_id', 'bigint'],
    ['pipeline_id', 'bigint'],
    ['suite', 'text'],
    ['ref', 'text'],
    ['tag', 'boolean'],
    ['sha', 'text'],
  ] as const) {
    await schema.alterTable('test_report').addColumn(column, type).execute()
  }
  await schema
    .createIndex('test_report_by_ref')
    .on('test_report')
    .columns(['project_id', 'suite', 'tag', 'ref', 'pipeline_id'])
    .execute()
  await schema
    .createIndex('test_report_by_commit')
    .on('test_report')
    .columns(['project_id', 'sha', 'suite'])
    .execute()
}
