import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import type { StreamAnswer } from '../../../http/operation.js'
import { isFinished } from '../../engine/job-status.js'
import type { Traces } from '../../storage/traces.js'
import { type AskedBytes, sendBytes } from '../send-bytes.js'
import type { TraceCheck } from './trace-check.js'

/** Sends the log up to the last byte that cannot be part of a secret. */
export async function sendTrace(
  { traces, check }: { traces: Traces; check: TraceCheck },
  job: JobRow,
  asked: AskedBytes,
): Promise<StreamAnswer> {
  const size = isFinished(job.status) ? await traces.size(job) : await traces.readableSize(job)
  await check()
  return sendBytes(
    {
      size,
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
