import { type Insertable, sql } from 'kysely'

import { chunks } from '../../../lib/chunks.js'
import type { Database, DialectName } from '../../database/connect.js'
import { executeTogether } from '../../database/execute-together.js'
import { isInJson } from '../../database/json-rows.js'
import { keyedRead } from '../../database/keyed-read.js'
import { requireRow } from '../../database/lost-race.js'
import { preparedRead } from '../../database/prepared-read.js'
import { type Placeholder, PreparedStatement } from '../../database/prepared-statement.js'
import { preparedWrite } from '../../database/prepared-write.js'
import type { JobStatus } from '../../database/tables/job-columns.js'
import type { JobRow, NewJob } from '../../database/tables/pipeline-rows.js'
import type { JobNeedTable } from '../../database/tables/pipelines.js'
import type { Transaction } from '../../database/transaction.js'
import type { PendingJob } from '../queue/store.js'
import { emitJobs } from './engine-events.js'

/** Keeps statements well below the maximum number of parameters of both databases. */
export const IDS_PER_STATEMENT = 5000

const ROWS_PER_INSERT = 500

const jobById = keyedRead('id', (database) => database.selectFrom('job').selectAll())

export async function findJob(database: Database, id: number): Promise<JobRow | undefined> {
  return jobById(database, id)
}

/** Throws `MissingRowError`. */
export async function getJob(database: Database, id: number): Promise<JobRow> {
  return requireRow(await jobById(database, id), 'job', id)
}

/** Records that dependent jobs get an archive or variables of this one. */
export async function markOutputs(tx: Transaction, jobId: number): Promise<void> {
  await outputMarks(tx, { jobId })
}

const outputMarks = preparedWrite((database, { jobId }: { jobId: Placeholder<number> }) =>
  database
    .updateTable('job')
    .set({ has_outputs: true })
    .where('id', '=', jobId)
    .where('has_outputs', '=', false),
)

const jobsByIds = preparedRead((database, { ids }: { ids: Placeholder<string> }, dialect) =>
  database
    .selectFrom('job')
    .selectAll()
    .where(isInJson(dialect, sql.ref('id'), ids)),
)

export function findJobs(database: Database, ids: readonly number[]): Promise<JobRow[]> {
  return jobsByIds(database, { ids: JSON.stringify(ids) })
}

/**
 * Those of the jobs that have a lease, and the ID of its runner. Locks their pipelines, in the order of their IDs, until
 * `tx` ends.
 */
export async function lockLeasedJobs(
  tx: Transaction,
  dialect: DialectName,
  jobIds: readonly number[],
): Promise<{ job: JobRow; leasedTo: number }[]> {
  const ids = JSON.stringify(jobIds)
  const leased = leasedJobs.with(tx, { ids })
  const { rows } =
    dialect === 'sqlite'
      ? await tx.executeQuery(leased)
      : (await executeTogether(tx, [pipelineLocks.with(tx, { ids }), leased]))[1]
  return rows.map(({ leased_to, ...job }) => ({ job, leasedTo: leased_to }))
}

interface JobIds extends Record<string, Placeholder<unknown>> {
  /** JSON. */
  ids: Placeholder<string>
}

const pipelineLocks = new PreparedStatement((database, { ids }: JobIds, dialect) =>
  database
    .selectFrom('pipeline')
    .select('id')
    .where('id', 'in', (job) =>
      job
        .selectFrom('job')
        .select('pipeline_id')
        .where(isInJson(dialect, sql.ref('job.id'), ids)),
    )
    .orderBy('id')
    .forNoKeyUpdate(),
)

const leasedJobs = new PreparedStatement((database, { ids }: JobIds, dialect) =>
  database
    .selectFrom('job')
    .innerJoin('lease', 'lease.job_id', 'job.id')
    .selectAll('job')
    .select('lease.runner_id as leased_to')
    .where(isInJson(dialect, sql.ref('job.id'), ids)),
)

/** The jobs as they are now, in the order of their ids. */
export async function rereadJobs(database: Database, jobs: readonly { id: number }[]): Promise<JobRow[]> {
  const found = await findJobs(database, idsOf(jobs))
  return found.sort((one, other) => one.id - other.id)
}

const pendingJobs = preparedRead((database, { ids }: { ids: Placeholder<string> }, dialect) =>
  database
    .selectFrom('job')
    .select(['id', 'kind', 'project_id', 'protected', 'tag_list', 'priority'])
    .where(isInJson(dialect, sql.ref('id'), ids))
    .orderBy('id'),
)

/** Without large columns: only those that the queue stores, and the kind. */
export function findPendingJobs(
  database: Database,
  ids: readonly number[],
): Promise<(PendingJob & Pick<JobRow, 'kind'>)[]> {
  return pendingJobs(database, { ids: JSON.stringify(ids) })
}

/** The latest attempts of a pipeline in one of the statuses, in the order of their ids. */
export function findLatestJobs(
  database: Database,
  pipelineId: number,
  statuses: readonly JobStatus[],
): Promise<JobRow[]> {
  return database
    .selectFrom('job')
    .selectAll()
    .where('pipeline_id', '=', pipelineId)
    .where('retried', '=', false)
    .where('status', 'in', statuses)
    .orderBy('id')
    .execute()
}

/** `coverage`: percent, found in the log of the job. */
export async function setCoverage(tx: Transaction, jobId: number, coverage: number): Promise<void> {
  await tx.updateTable('job').set({ coverage }).where('id', '=', jobId).execute()
}

export async function storeJobOptions(
  tx: Transaction,
  id: number,
  options: JobRow['options'],
): Promise<void> {
  await tx
    .updateTable('job')
    .set({ options: JSON.stringify(options) })
    .where('id', '=', id)
    .execute()
}

/** Attempts of the same job before the latest one. */
export async function countEarlierAttempts(
  database: Database,
  { pipeline_id, name }: Pick<JobRow, 'pipeline_id' | 'name'>,
): Promise<number> {
  const { attempts } = await database
    .selectFrom('job')
    .select((eb) => eb.fn.countAll<number>().as('attempts'))
    .where('pipeline_id', '=', pipeline_id)
    .where('name', '=', name)
    .where('retried', '=', true)
    .executeTakeFirstOrThrow()
  return attempts
}

/** Makes `to` the user of the jobs of `from`. */
export async function reassignJobs(tx: Transaction, from: number, to: number): Promise<void> {
  await tx.updateTable('job').set({ user_id: to }).where('user_id', '=', from).execute()
}

/** Marks the job as replaced by a newer attempt; false if it already is. */
export async function markRetried(tx: Transaction, id: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('job')
    .set({ retried: true, updated_at: Date.now() })
    .where('id', '=', id)
    .where('retried', '=', false)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Inserts jobs of one project, all `created`. Returns the ids in the order of the jobs, whose names are
 * distinct.
 */
export async function insertJobs(tx: Transaction, jobs: NewJob[]): Promise<number[]> {
  const ids = new Map<string, number>()
  for (const some of chunks(jobs, ROWS_PER_INSERT)) {
    const rows = await tx.insertInto('job').values(some).returning(['id', 'name']).execute()
    for (const { id, name } of rows) ids.set(name, id)
  }
  emitJobs(tx, [...ids.values()], 'created')
  return jobs.map((job) => ids.get(job.name) as number)
}

export async function insertNeeds(tx: Transaction, needs: Insertable<JobNeedTable>[]): Promise<void> {
  for (const some of chunks(needs, ROWS_PER_INSERT)) {
    await tx.insertInto('job_need').values(some).execute()
  }
}

/** What one job needs of its pipeline. */
type NeedOfJob = Pick<JobNeedTable, 'job_id' | 'name' | 'artifacts' | 'optional'>

/** The needs of some jobs in the same pipeline. */
export async function findNeedsOf(database: Database, jobIds: readonly number[]): Promise<NeedOfJob[]> {
  return jobIds.length === 0 ? [] : needsOfJobs(database, { ids: JSON.stringify(jobIds) })
}

const needsOfJobs = preparedRead((database, { ids }: { ids: Placeholder<string> }, dialect) =>
  database
    .selectFrom('job_need')
    .select(['job_id', 'name', 'artifacts', 'optional'])
    .where(isInJson(dialect, sql.ref('job_id'), ids)),
)

export function idsOf(jobs: readonly { id: number }[]): number[] {
  return jobs.map(({ id }) => id)
}
