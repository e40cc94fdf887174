import { Type } from 'typebox'

import { may } from '../../access/access.js'
import { apiError, forbidden } from '../../http/errors.js'
import { type Operation, operation } from '../../http/operation.js'
import { signedIn } from '../../http/viewer.js'
import { refusalToPlay } from '../engine/permissions/refusal-to-run-on.js'
import { mayReadTrace } from '../engine/trace-access.js'
import type { Caches } from '../storage/caches/caches.js'
import { jobOf, type JobOperationsDeps } from './job-operations-deps.js'
import { describeReproduction, type ReproductionDeps } from './reproduction/describe-reproduction.js'
import { JobReproduction } from './reproduction/schema.js'
import { JobId } from './schema.js'
import { identifyCache, sendCache, SENT_CACHE, WantedCache } from './send-cache.js'

export interface ReproductionOperationsDeps extends JobOperationsDeps, Pick<ReproductionDeps, 'tokens'> {
  caches: Caches
}

/** What it takes to run a job on another machine, for `switchyard local --from`. Beyond the reference. */
export function jobReproductionOperations(deps: ReproductionOperationsDeps): Operation[] {
  const { engine, traceIndexes, artifacts, tokens, caches } = deps
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
    operation('GET /projects/:id/jobs/:job_id/cache', {
      summary: 'Get a cache that a job finds, for those who may start the job',
      access: 'read_caches',
      params: Type.Object({ ...JobId.properties, ...WantedCache.properties }),
      responses: SENT_CACHE,
      run: async (call) => {
        const { project, params, request } = call
        const job = await jobOf(deps, project, params.job_id)
        // A person who may start the job can read the cache with it.
        const refusal = await refusalToPlay(engine, { project, user: signedIn(call.user) }, job)
        if (refusal) throw forbidden()
        return sendCache(caches, identifyCache(job, params.key), request, params)
      },
    }),
  ]
}
