import type { Database } from '../../database/connect.js'
import { keyedRead } from '../../database/keyed-read.js'
import type { JobRow } from '../../database/tables/pipeline-rows.js'
import { inTransaction } from '../../database/transaction.js'
import { emitJobChange } from './engine-events.js'

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

/** A job that declares artifacts counts as one that had some: what depends on it must not run without them. */
export async function markErased(database: Database, { id, options }: JobRow): Promise<JobRow> {
  const now = Date.now()
  const declared = options.artifacts && { has_outputs: true }
  return inTransaction(database, async (tx) => {
    emitJobChange(tx, id)
    return tx
      .updateTable('job')
      .set({ erased_at: now, updated_at: now, trace_bytes: null, ...declared })
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
