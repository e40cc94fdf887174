import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import type { StreamResponse } from '../../../http/operation.js'
import { isFinished } from '../../engine/job-status.js'
import { missingBytes, type MissingBytesDeps } from '../../engine/missing-bytes.js'
import { DamagedLogError } from '../../storage/errors.js'
import type { Traces } from '../../storage/traces.js'
import { type AskedBytes, sendBytes } from '../send-bytes.js'
import type { TraceCheck } from './trace-check.js'

/**
 * Sends the log up to the last byte that cannot be part of a secret. Throws `DamagedLogError` if the job has ended and
 * bytes are gone that it has written.
 */
export async function sendTrace(
  { engine, traces, check }: { engine: MissingBytesDeps; traces: Traces; check: TraceCheck },
  job: JobRow,
  asked: AskedBytes,
): Promise<StreamResponse> {
  const size = isFinished(job.status) ? await endedSize(traces, job) : await traces.readableSize(job)
  await check()
  const missing = await missingBytes(engine, job, size)
  if (missing > 0) throw new DamagedLogError(job.id, { size, written: size + missing })
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

async function endedSize(traces: Traces, job: JobRow): Promise<number> {
  const size = await traces.size(job)
  return size < (job.trace_bytes ?? 0) ? traces.openedSize(job) : size
}
