import { type Insertable, sql, type SqlBool, type Updateable } from 'kysely'

import { chunks } from '../../../lib/chunks.js'
import type { Database, DialectName } from '../../database/connect.js'
import { executeTogether, type Queries, type Results } from '../../database/execute-together.js'
import { isInJson, jsonRows } from '../../database/json-rows.js'
import { keyedRead } from '../../database/keyed-read.js'
import { requireRow } from '../../database/lost-race.js'
import { preparedRead } from '../../database/prepared-read.js'
import { type Placeholder, PreparedStatement } from '../../database/prepared-statement.js'
import type { JobStatus } from '../../database/tables/job-columns.js'
import type { JobRow, NewJob } from '../../database/tables/pipeline-rows.js'
import type {
  CompositeStatus,
  JobNeedTable,
  JobTable,
  JobVariableTable,
  StageTable,
} from '../../database/tables/pipelines.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { leaseEnds } from '../queue/lease.js'
import type { PendingJob } from '../queue/store.js'
import { emitJobChange, emitJobs } from './engine-events.js'
import { UnexpectedStatusError } from './errors.js'

/** Keeps statements well below the maximum number of parameters of both databases. */
export const IDS_PER_STATEMENT = 5000
const ROWS_PER_INSERT = 500

const jobById = keyedRead('id', (database) => database.selectFrom('job').selectAll())

export async function findJob(database: Database, id: number): Promise<JobRow | undefined> {
  return jobById(database, id)
}

/** What parts of a log and updates need to know of their job. A job row has about 50 more columns. */
export type LoggingJob = Pick<JobRow, (typeof LOGGING_COLUMNS)[number]>

const LOGGING_COLUMNS = [
  'id',
  'project_id',
  'status',
  'token_digest',
  'ended_token_digest',
  'runner_id',
  'debug_trace',
] as const

/** These columns of a whole row, which takes more memory. */
export function loggingJobOf(row: JobRow): LoggingJob {
  const { id, project_id, status, token_digest, ended_token_digest, runner_id, debug_trace } = row
  return { id, project_id, status, token_digest, ended_token_digest, runner_id, debug_trace }
}

const loggingJobById = keyedRead('id', (database) => database.selectFrom('job').select(LOGGING_COLUMNS))

export async function findLoggingJob(database: Database, id: number): Promise<LoggingJob | undefined> {
  return loggingJobById(database, id)
}

/** Throws `MissingRowError`. */
export async function getJob(database: Database, id: number): Promise<JobRow> {
  return requireRow(await jobById(database, id), 'job', id)
}

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

/** Without large columns: only those that the queue stores, and the kind. */
export async function findPendingJobs(
  database: Database,
  ids: number[],
): Promise<(PendingJob & Pick<JobRow, 'kind'>)[]> {
  const found: Awaited<ReturnType<typeof findPendingJobs>> = []
  for (const some of chunks(ids, IDS_PER_STATEMENT)) {
    const jobs = database
      .selectFrom('job')
      .select(['id', 'kind', 'project_id', 'protected', 'tag_list', 'priority'])
    found.push(...(await jobs.where('id', 'in', some).orderBy('id').execute()))
  }
  return found
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

/** Marks the log of a job as visible to developers only. */
export async function markDebugTrace(database: Database, id: number): Promise<void> {
  await database.updateTable('job').set({ debug_trace: true }).where('id', '=', id).execute()
}

/** Records the size of a log that was still being written when its job ended. Does nothing for other jobs. */
export async function recordTraceSize(database: Database, id: number, bytes: number): Promise<void> {
  await database
    .updateTable('job')
    .set({ trace_bytes: bytes })
    .where('id', '=', id)
    .where('trace_bytes', 'is distinct from', bytes)
    .where('finished_at', 'is not', null)
    .where('erased_at', 'is', null)
    .execute()
}

/** `coverage`: percent, found in the log of the job. */
export async function setCoverage(tx: Transaction, jobId: number, coverage: number): Promise<void> {
  await tx.updateTable('job').set({ coverage }).where('id', '=', jobId).execute()
}

/** Updates a job if it still has the status with which it was read. Returns whether it did. */
export async function moveJob(
  tx: Transaction,
  job: Pick<JobRow, 'id' | 'status'>,
  changes: Updateable<JobTable> & { status: JobStatus },
): Promise<boolean> {
  return (await moveJobs(tx, [job.id], job.status, changes)) === 1
}

/** As `moveJob`, but returns the changed job; undefined if it no longer has the status. */
export async function moveAndReadJob(
  tx: Transaction,
  job: Pick<JobRow, 'id' | 'status'>,
  changes: Updateable<JobTable> & { status: JobStatus },
): Promise<JobRow | undefined> {
  const moved = await tx
    .updateTable('job')
    .set({ updated_at: Date.now(), ...changes })
    .where('id', '=', job.id)
    .where('status', '=', job.status)
    .returningAll()
    .executeTakeFirst()
  if (moved && changes.status !== job.status) emitJobs(tx, [job.id], changes.status)
  return moved
}

/** The job token of a run, and who received it. */
export interface JobStart {
  id: number
  runner_id: number
  runner_system_id: string | null
  cancel_gracefully: boolean
  token_digest: string
  /** Seconds. */
  timeout: number | null
}

/** For `executeTogether`: makes pending jobs running. `starts` is a JSON array of `JobStart`. */
export const jobStarts = new PreparedStatement(
  (database, { starts, now }: { starts: Placeholder<string>; now: Placeholder<number> }, dialect) => {
    const columns = {
      id: 'bigint',
      runner_id: 'bigint',
      runner_system_id: 'text',
      cancel_gracefully: 'boolean',
      token_digest: 'text',
      timeout: 'bigint',
    } as const
    return database
      .updateTable('job')
      .from(jsonRows<JobStart>(dialect, columns, starts).as('start'))
      .set(({ ref }) => ({
        status: 'running',
        updated_at: now,
        started_at: now,
        runner_id: ref('start.runner_id'),
        runner_system_id: ref('start.runner_system_id'),
        cancel_gracefully: ref('start.cancel_gracefully'),
        token_digest: ref('start.token_digest'),
        timeout: ref('start.timeout'),
      }))
      .whereRef('job.id', '=', 'start.id')
      .where('job.status', '=', 'pending')
  },
)

/** Condition on the table `job`, beside one on the status. It is literally that of an index, which has these jobs alone. */
export const IS_NO_SUCCESS = sql<SqlBool>`job.status <> 'success'`

/** What is known of a job at its end. */
export interface JobSuccess {
  id: number
  /** Size of the log. */
  trace_bytes: number
  /** Percent, found in the log; null if none was. */
  coverage: number | null
}

const endJobs = new PreparedStatement(
  (database, { ends, now }: { ends: Placeholder<string>; now: Placeholder<number> }, dialect) => {
    const columns = { id: 'bigint', trace_bytes: 'bigint', coverage: 'double precision' } as const
    return database
      .updateTable('job')
      .from(jsonRows<JobSuccess>(dialect, columns, ends).as('end'))
      .set(({ ref, fn }) => ({
        status: 'success',
        updated_at: now,
        finished_at: now,
        scheduled_at: null,
        token_digest: null,
        ended_token_digest: ref('job.token_digest'),
        trace_bytes: ref('end.trace_bytes'),
        coverage: fn.coalesce('end.coverage', 'job.coverage'),
      }))
      .whereRef('job.id', '=', 'end.id')
      .where('job.status', '=', 'running')
  },
)

/**
 * Ends running jobs of one project as successful, and their leases, and executes `then` in the same round trip. Throws
 * `UnexpectedStatusError` if one is no longer running.
 */
export async function moveToSuccess<Rows extends unknown[]>(
  tx: Transaction,
  ends: readonly { job: JobRow; end: JobSuccess }[],
  then: Queries<Rows>,
): Promise<{ ended: JobRow[]; results: Results<Rows> }> {
  const now = Date.now()
  const rows = ends.map(({ end }) => end)
  const [changed, , ...results] = await executeTogether<[unknown, unknown, ...Rows]>(tx, [
    endJobs.with(tx, { ends: JSON.stringify(rows), now }),
    leaseEnds.with(tx, { jobIds: JSON.stringify(idsOf(rows)) }),
    ...then,
  ])
  if (Number(changed.numAffectedRows) !== ends.length) throw new UnexpectedStatusError(idsOf(rows), 'running')
  emitJobs(tx, idsOf(rows), 'success')
  const ended = ends.map(({ job, end }) => ({
    ...job,
    status: 'success' as const,
    updated_at: now,
    finished_at: now,
    scheduled_at: null,
    token_digest: null,
    ended_token_digest: job.token_digest,
    trace_bytes: end.trace_bytes,
    coverage: end.coverage ?? job.coverage,
  }))
  return { ended, results }
}

/** Changes the jobs that still have the status `from`. Returns their number. */
export async function moveJobs(
  tx: Transaction,
  ids: number[],
  from: JobStatus,
  changes: Updateable<JobTable> & { status: JobStatus },
): Promise<number> {
  let moved = 0n
  for (const some of chunks(ids, IDS_PER_STATEMENT)) {
    const { numUpdatedRows } = await tx
      .updateTable('job')
      .set({ updated_at: Date.now(), ...changes })
      .where('id', 'in', some)
      .where('status', '=', from)
      .executeTakeFirst()
    moved += numUpdatedRows
  }
  if (moved > 0n && changes.status !== from) emitJobs(tx, ids, changes.status)
  return Number(moved)
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

export async function insertStages(
  tx: Transaction,
  stages: Insertable<StageTable>[],
): Promise<Map<number, number>> {
  const rows = await tx.insertInto('stage').values(stages).returning(['id', 'position']).execute()
  return new Map(rows.map(({ id, position }) => [position, id]))
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

/** The needs of some jobs in the same pipeline. */
export async function findNeedsOf(
  database: Database,
  jobIds: readonly number[],
): Promise<{ job_id: number; name: string; artifacts: boolean; optional: boolean }[]> {
  if (jobIds.length === 0) return []
  return database
    .selectFrom('job_need')
    .select(['job_id', 'name', 'artifacts', 'optional'])
    .where('job_id', 'in', jobIds)
    .execute()
}

export async function deleteJobVariables(tx: Transaction, jobId: number): Promise<void> {
  await tx.deleteFrom('job_variable').where('job_id', '=', jobId).execute()
}

export async function insertJobVariables(
  tx: Transaction,
  variables: Insertable<JobVariableTable>[],
): Promise<void> {
  if (variables.length > 0) await tx.insertInto('job_variable').values(variables).execute()
}

/** Variables that the user set when the job was played. */
export function findJobVariables(
  database: Database,
  jobId: number,
): Promise<{ key: string; value_encrypted: string }[]> {
  return database
    .selectFrom('job_variable')
    .select(['key', 'value_encrypted'])
    .where('job_id', '=', jobId)
    .where('source', '=', 'played')
    .execute()
}

/** Replaces the dotenv variables that the job provides to jobs that fetch its artifacts. */
export async function storeDotenvVariables(
  tx: Transaction,
  jobId: number,
  variables: { key: string; value_encrypted: string }[],
): Promise<void> {
  await deleteDotenvVariables(tx, jobId)
  await insertJobVariables(
    tx,
    variables.map((variable) => ({ ...variable, job_id: jobId, source: 'dotenv' as const })),
  )
}

export async function deleteDotenvVariables(database: Database, jobId: number): Promise<void> {
  await database
    .deleteFrom('job_variable')
    .where('job_id', '=', jobId)
    .where('source', '=', 'dotenv')
    .execute()
}

export async function saveStageStatus(
  tx: Transaction,
  stageIds: readonly number[],
  status: CompositeStatus,
): Promise<void> {
  await tx.executeQuery(updateStages.with(tx, { ids: JSON.stringify(stageIds), status }))
}

interface StageChange extends Record<string, Placeholder<unknown>> {
  /** JSON. */
  ids: Placeholder<string>
  status: Placeholder<CompositeStatus>
}

/** For `executeTogether`; `ids` is a JSON array. */
export const updateStages = new PreparedStatement((database, { ids, status }: StageChange, dialect) =>
  database
    .updateTable('stage')
    .set({ status })
    .where(isInJson(dialect, sql.ref('id'), ids))
    .where('status', '!=', status),
)

export async function markErased(database: Database, id: number): Promise<JobRow> {
  const now = Date.now()
  return inTransaction(database, async (tx) => {
    emitJobChange(tx, id)
    return tx
      .updateTable('job')
      .set({ erased_at: now, updated_at: now, trace_bytes: null })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
  })
}

/** Jobs with logs that ended before `time`, the oldest first. */
export function findOldLogs(
  database: Database,
  time: number,
  limit: number,
): Promise<Pick<JobRow, 'id' | 'project_id' | 'trace_bytes'>[]> {
  return database
    .selectFrom('job')
    .select(['id', 'project_id', 'trace_bytes'])
    .where('trace_bytes', 'is not', null)
    .where('finished_at', '<', time)
    .orderBy('finished_at')
    .limit(limit)
    .execute()
}

/** For a job whose log has been deleted because of its age. */
export async function forgetLog(database: Database, id: number): Promise<void> {
  await database.updateTable('job').set({ trace_bytes: null }).where('id', '=', id).execute()
}

export function idsOf(jobs: readonly { id: number }[]): number[] {
  return jobs.map(({ id }) => id)
}
