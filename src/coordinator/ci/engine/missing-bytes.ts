import { warnOfDamage } from '../../../lib/damage.js'
import type { Logger } from '../../../lib/logger.js'
import type { Database } from '../../database/connect.js'
import type { JobRow } from '../../database/tables/pipeline-rows.js'
import { DamagedLogError } from '../storage/errors.js'
import { isFinished } from './job-status.js'

export interface MissingBytesDeps {
  database: Database
  logger: Logger
}

/**
 * The number of missing bytes that an ended job had written to its log. They are logged once.
 * @param size bytes that are there
 */
export async function missingBytes(
  { database, logger }: MissingBytesDeps,
  job: Pick<JobRow, 'id' | 'status' | 'trace_bytes'>,
  size: number,
): Promise<number> {
  if (!isFinished(job.status) || size >= (job.trace_bytes ?? 0)) return 0
  // The log may have been erased since the job was read.
  const written = await writtenBytes(database, job.id)
  if (size >= written) return 0
  const error = new DamagedLogError(job.id, { size, written })
  warnOfDamage(logger, error.thing, { err: error, job: job.id }, error.message)
  return written - size
}

/** 0 for a job that is gone, or whose log was deleted. */
async function writtenBytes(database: Database, jobId: number): Promise<number> {
  const row = await database
    .selectFrom('job')
    .select('trace_bytes')
    .where('id', '=', jobId)
    .executeTakeFirst()
  return row?.trace_bytes ?? 0
}
