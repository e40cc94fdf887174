import { Type } from 'typebox'

import { type Operation, operation } from '../../http/operation.js'
import { jobOf, type JobOperationsDeps } from './job-operations-deps.js'
import { checkMayReadTrace } from './read-access.js'
import { JobId } from './schema.js'
import { readLines } from './trace/read-lines.js'
import { readOutline } from './trace/read-outline.js'
import { TraceLines, TraceLinesQuestion, TraceOutline } from './trace/schema.js'

/** Parts of logs, beyond the reference. A log grows without a commit, so no answer is cacheable. */
export function jobLogOperations(deps: JobOperationsDeps): Operation[] {
  return [
    operation('GET /projects/:id/jobs/:job_id/trace/outline', {
      summary: 'Get the size and the sections of the log of a job',
      access: 'read_pipelines',
      params: JobId,
      answers: { 200: TraceOutline },
      run: async (call) => {
        const job = await jobOf(deps, call.project, call.params.job_id)
        checkMayReadTrace(call, job)
        deps.traceReaders.recordRead(job.id)
        return readOutline(deps.traceIndexes, job)
      },
    }),
    operation('GET /projects/:id/jobs/:job_id/trace/lines', {
      summary: 'Get lines of the log of a job',
      access: 'read_pipelines',
      params: Type.Object({ ...JobId.properties, ...TraceLinesQuestion }),
      exclusive: [['from', 'byte']],
      answers: { 200: TraceLines },
      run: async (call) => {
        const { job_id, ...question } = call.params
        const job = await jobOf(deps, call.project, job_id)
        checkMayReadTrace(call, job)
        deps.traceReaders.recordRead(job.id)
        return readLines(deps.traceIndexes, job, question)
      },
    }),
  ]
}
