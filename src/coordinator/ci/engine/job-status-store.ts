import { sql, type SqlBool, type Updateable } from 'kysely'

import { chunks } from '../../../lib/chunks.js'
import { groupBy } from '../../../lib/group-by.js'
import { executeTogether, type Queries, type Results } from '../../database/execute-together.js'
import { isInJson, jsonRows } from '../../database/json-rows.js'
import { type Placeholder, PreparedStatement } from '../../database/prepared-statement.js'
import { preparedWrite } from '../../database/prepared-write.js'
import type { JobStatus } from '../../database/tables/job-columns.js'
import type { JobRow } from '../../database/tables/pipeline-rows.js'
import type { JobTable } from '../../database/tables/pipelines.js'
import type { Transaction } from '../../database/transaction.js'
import { leaseEnds } from '../queue/lease.js'
import { emitJobs } from './engine-events.js'
import { UnexpectedStatusError } from './errors.js'
import { IDS_PER_STATEMENT, idsOf } from './job-store.js'

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
 * Ends running jobs as successful, and their leases, and executes `then` in the same round trip. Throws
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
  for (const jobs of groupBy(ends, ({ job }) => job.project_id).values())
    emitJobs(tx, idsOf(jobs.map(({ job }) => job)), 'success')
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

/** Makes the jobs pending that still have the status `from`. Returns their number. */
export async function moveToPending(
  tx: Transaction,
  ids: readonly number[],
  from: JobStatus,
): Promise<number> {
  const { changed } = await pendingMoves(tx, { ids: JSON.stringify(ids), from, now: Date.now() })
  if (changed > 0 && from !== 'pending') emitJobs(tx, ids, 'pending')
  return changed
}

interface PendingMove extends Record<string, Placeholder<unknown>> {
  /** JSON. */
  ids: Placeholder<string>
  from: Placeholder<JobStatus>
  now: Placeholder<number>
}

const pendingMoves = preparedWrite((database, { ids, from, now }: PendingMove, dialect) =>
  database
    .updateTable('job')
    .set({ status: 'pending', updated_at: now, queued_at: now, scheduled_at: null })
    .where(isInJson(dialect, sql.ref('id'), ids))
    .where('status', '=', from),
)

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
