import { Type } from 'typebox'

import { type Operation, operation, stream } from '../../http/operation.js'
import { OpenRequests } from '../../http/rate-limits/open-requests.js'
import { missingBytes } from '../engine/missing-bytes.js'
import { jobOf, type JobOperationsDeps } from './job-operations-deps.js'
import { JobId } from './schema.js'
import { readLines } from './trace/read-lines.js'
import { readOutline } from './trace/read-outline.js'
import {
  TraceLines,
  TraceLinesQuery,
  TraceOutline,
  TraceSearchEnd,
  TraceSearchHit,
  TraceSearchProgress,
  TraceSearchQuery,
} from './trace/schema.js'
import { searchTrace } from './trace/search-trace.js'
import { startTraceCheck } from './trace/trace-check.js'

/** Open searches of a caller. Two run at a time, for all callers together. */
const SEARCHES_PER_CALLER = 3
const STREAM_HEADERS = {
  'cache-control': 'no-store',
  // nginx would otherwise collect the lines before it sends them.
  'x-accel-buffering': 'no',
}
/** A search may occupy a thread for seconds. */
const SEARCHES_PER_MINUTE = 120

/** Parts of logs, beyond the reference. A log grows without a commit, so no response is cacheable. */
export function jobLogOperations(deps: JobOperationsDeps): Operation[] {
  const { traceIndexes: indexes } = deps
  const { database } = deps.engine
  const open = new OpenRequests(SEARCHES_PER_CALLER, 'searches in logs')
  return [
    operation('GET /projects/:id/jobs/:job_id/trace/outline', {
      summary: 'Get the size and the sections of the log of a job',
      access: 'read_pipelines',
      params: JobId,
      responses: { 200: TraceOutline },
      run: async (call) => {
        const job = await jobOf(deps, call.project, call.params.job_id)
        const check = startTraceCheck(database, call, job)
        deps.traceReaders.recordRead(job.id)
        return readOutline({ engine: deps.engine, indexes, check }, job)
      },
    }),
    operation('GET /projects/:id/jobs/:job_id/trace/lines', {
      summary: 'Get lines of the log of a job',
      access: 'read_pipelines',
      scopes: ['mcp'],
      params: Type.Object({ ...JobId.properties, ...TraceLinesQuery }),
      exclusive: [['from', 'byte']],
      responses: { 200: TraceLines },
      run: async (call) => {
        const { job_id, ...query } = call.params
        const job = await jobOf(deps, call.project, job_id)
        const check = startTraceCheck(database, call, job)
        deps.traceReaders.recordRead(job.id)
        return readLines({ engine: deps.engine, indexes, check }, job, query)
      },
    }),
    operation('GET /projects/:id/jobs/:job_id/trace/search', {
      summary: 'Search the log of a job',
      access: 'read_pipelines',
      scopes: ['mcp'],
      params: Type.Object({ ...JobId.properties, ...TraceSearchQuery }),
      exactlyOne: [['q', 'errors']],
      limit: { perMinute: SEARCHES_PER_MINUTE },
      // One of these in each line.
      responses: { 200: Type.Union([TraceSearchHit, TraceSearchProgress, TraceSearchEnd]) },
      run: async (call) => {
        const { job_id, ...query } = call.params
        const job = await jobOf(deps, call.project, job_id)
        const check = startTraceCheck(database, call, job)
        const takePlace = () => open.take(call.caller, call.request.ip)
        const missingOf = (bytes: number) => missingBytes(deps.engine, job, bytes)
        const found = searchTrace({ indexes, check, missingOf, takePlace }, job, query)
        return stream(found, 'application/x-ndjson', STREAM_HEADERS)
      },
    }),
  ]
}
