import type { Readable } from 'node:stream'

import { formatRange, parseContentRangeStart } from '../../../../protocol/content-range.js'
import { JOB_STATUS_HEADER } from '../../../../protocol/headers.js'
import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { apiError } from '../../../http/errors.js'
import { type ApiResponse, respond } from '../../../http/operation.js'
import type { EngineDeps } from '../../engine/engine-deps.js'
import { finishJob } from '../../engine/finish/finish-job.js'
import { type LoggingJob, recordTraceSize } from '../../engine/job-log-store.js'
import { findJob, getJob } from '../../engine/job-store.js'
import { findCoverage } from '../../engine/reports/find-coverage.js'
import type { TraceReaders } from '../../signals/trace-readers.js'
import type { Traces } from '../../storage/traces.js'
import { notRunning } from '../authenticate-job.js'
import type { ReportingJobs } from './reporting-jobs.js'
import { traceIntervalHeaders } from './trace-interval.js'
import type { TraceMaskers } from './trace-maskers.js'

export interface AppendTraceDeps {
  engine: EngineDeps
  traces: Traces
  traceReaders: TraceReaders
  reportingJobs: ReportingJobs
  maskers: TraceMaskers
}

export interface TracePatch {
  contentRange: string | undefined
  /** Whether the runner reports that the trace shows debug output (runner protocol, 4.1). */
  isDebug: boolean
  /** The token of the job that the runner showed. */
  token: string
  body: Readable
}

/** Adds a patch to the trace; the length of `body` decides, not the second number of the range (runner protocol, 4.2). */
export async function appendTrace(
  { engine, traces, traceReaders, reportingJobs, maskers }: AppendTraceDeps,
  job: LoggingJob,
  { contentRange, isDebug, token, body }: TracePatch,
): Promise<ApiResponse> {
  const offset = parseContentRangeStart(contentRange)
  if (offset === undefined) throw apiError('header_missing', { header: 'Content-Range' })
  // First: without contact, the job may return to the queue, and its next log would begin with these bytes.
  if (!(await reportingJobs.recordContact(job))) throw await ended(engine, reportingJobs, job)
  // Must happen before the first byte becomes readable.
  if (isDebug && !job.debug_trace) await reportingJobs.markDebugTrace(job)
  const result = await traces.append(job, offset, body, await maskers.maskerOf(job.id, token))
  switch (result.kind) {
    case 'appended':
      engine.notifications.emit('traceGrown', job, offset === 0)
      // The job may have ended while the part arrived.
      if (!(await reportingJobs.recordContact(job)))
        await recordTraceSize(engine.database, job.id, result.size)
      return respond(202, undefined, {
        [JOB_STATUS_HEADER]: job.status,
        ...traceIntervalHeaders(traceReaders.isRead(job.id)),
        range: formatRange(result.size),
      })
    case 'conflict':
      // The log may be gone together with the job.
      reportingJobs.forget(job.id)
      throw apiError(
        'range_not_satisfiable',
        {},
        { headers: { range: formatRange(result.size), [JOB_STATUS_HEADER]: job.status } },
      )
    case 'too-large':
      await failForSize({ engine, traces }, await getJob(engine.database, job.id))
      throw notRunning((await findJob(engine.database, job.id)) ?? job)
  }
}

/** The refusal of a part for a job whose lease has ended. */
async function ended(
  { database }: EngineDeps,
  reportingJobs: ReportingJobs,
  job: LoggingJob,
): Promise<Error> {
  reportingJobs.forget(job.id)
  return notRunning((await findJob(database, job.id)) ?? job)
}

async function failForSize(
  { engine, traces }: Pick<AppendTraceDeps, 'engine' | 'traces'>,
  job: JobRow,
): Promise<void> {
  await finishJob(engine, job, {
    status: 'failed',
    reason: 'trace_size_exceeded',
    coverage: await findCoverage(engine.database, traces, job),
  })
}
