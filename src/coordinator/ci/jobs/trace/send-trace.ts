import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { notFound } from '../../../http/errors.js'
import type { StreamAnswer } from '../../../http/operation.js'
import { isFinished } from '../../engine/job-status.js'
import type { Traces } from '../../storage/traces.js'
import { type AskedBytes, sendBytes } from '../send-bytes.js'

/** Throws 404 for a job that has not started or whose log was erased. */
export function checkHasTrace(job: JobRow): void {
  if (job.started_at === null || job.erased_at !== null) throw notFound()
}

/**
 * Sends the log up to the last byte that cannot be part of a secret. Throws as `checkHasTrace`.
 */
export async function sendTrace(traces: Traces, job: JobRow, asked: AskedBytes): Promise<StreamAnswer> {
  checkHasTrace(job)
  return sendBytes(
    {
      size: isFinished(job.status) ? await traces.size(job) : await traces.readableSize(job),
      contentType: 'text/plain',
      headers: {
        'content-disposition': `infile; filename="${job.id}.log"`,
        'cache-control': 'no-store',
      },
      open: (range) => traces.read(job, range),
    },
    asked,
  )
}
