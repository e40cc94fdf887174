import { Type } from 'typebox'

import { may } from '../../access/access.js'
import { apiError } from '../../http/errors.js'
import { type Operation, operation } from '../../http/operation.js'
import { isFinished } from '../engine/job-status.js'
import { describeFailure } from '../failures/describe-failure.js'
import { presentSteps, readSteps } from '../failures/job-steps.js'
import { JobFailure, JobStepRecord } from '../failures/schema.js'
import { jobOf, type JobOperationsDeps } from './job-operations-deps.js'
import { JobId } from './schema.js'
import { startTraceCheck } from './trace/trace-check.js'

/** Why a job failed, and how the lines of its scripts ended. Beyond the reference. Not cacheable, because logs change without a commit. */
export function jobFailureOperations(deps: JobOperationsDeps): Operation[] {
  const { engine, traceIndexes, traces, artifacts } = deps
  const { database, logger, repositories } = engine
  return [
    operation('GET /projects/:id/jobs/:job_id/failure', {
      summary: 'Get why a job failed, in at most 2 KiB',
      access: 'read_pipelines',
      scopes: ['mcp'],
      params: JobId,
      responses: { 200: JobFailure },
      run: async (call) => {
        const { project, accessLevel, params } = call
        const job = await jobOf(deps, project, params.job_id)
        if (job.status !== 'failed') throw apiError('job_not_failed', { status: job.status })
        return describeFailure(
          { database, logger, repositories, traceIndexes, traces, testReports: artifacts.testReports },
          job,
          { accessLevel, mayReadCode: may('read_code', call) },
          `${deps.externalUrl}/${project.full_path}`,
        )
      },
    }),
    operation('GET /projects/:id/jobs/:job_id/steps', {
      summary: 'List how the lines of the scripts of a job ended',
      access: 'read_pipelines',
      params: JobId,
      responses: { 200: Type.Array(JobStepRecord) },
      run: async (call) => {
        const job = await jobOf(deps, call.project, call.params.job_id)
        const check = startTraceCheck(database, call, job)
        return traceIndexes.withLog(job, { isFinished: isFinished(job.status) }, async (log) => {
          await check()
          return presentSteps(log, await readSteps(traces, job), job)
        })
      },
    }),
  ]
}
