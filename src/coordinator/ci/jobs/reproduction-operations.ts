import { may } from '../../access/access.js'
import { apiError, forbidden } from '../../http/errors.js'
import { type Operation, operation } from '../../http/operation.js'
import { mayReadTrace } from '../engine/trace-access.js'
import { jobOf, type JobOperationsDeps } from './job-operations-deps.js'
import { describeReproduction, type ReproductionDeps } from './reproduction/describe-reproduction.js'
import { JobReproduction } from './reproduction/schema.js'
import { JobId } from './schema.js'

/** What it takes to run a job on another machine, for `switchyard local --from`. Beyond the reference. */
export function jobReproductionOperations(
  deps: JobOperationsDeps & Pick<ReproductionDeps, 'tokens'>,
): Operation[] {
  const { engine, traceIndexes, artifacts, tokens } = deps
  return [
    operation('GET /projects/:id/jobs/:job_id/reproduction', {
      summary: 'Get what it takes to run a job elsewhere, without secrets',
      access: 'read_pipelines',
      params: JobId,
      responses: { 200: JobReproduction },
      run: async (call) => {
        if (!may('read_code', call)) throw forbidden()
        const job = await jobOf(deps, call.project, call.params.job_id)
        if (!mayReadTrace(call.accessLevel, job)) throw apiError('debug_log_forbidden')
        const mayRunJobs = may('run_pipelines', call)
        return describeReproduction({ ...engine, artifacts, tokens, traceIndexes }, job, { mayRunJobs })
      },
    }),
  ]
}
