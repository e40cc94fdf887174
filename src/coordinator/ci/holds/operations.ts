import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { signedIn } from '../../http/viewer.js'
import { enterHold, extendHold, finishHold, type HoldDeps, holdOf, mayEnterJob, timeOf } from './holds.js'
import { presentHold } from './present.js'
import { ExtendHold, HeldJobId, Hold } from './schema.js'

/** Ended jobs whose runners keep their containers, for people. */
export function holdOperations(deps: HoldDeps): Operation[] {
  return [
    operation('GET /projects/:id/jobs/:job_id/hold', {
      summary: 'Get the hold of a job',
      access: 'run_pipelines',
      params: HeldJobId,
      responses: { 200: Hold },
      run: async ({ project, params, user, accessLevel }) => {
        const { job, hold } = await holdOf(deps, project, params.job_id)
        const mayChange = await mayEnterJob(deps, project, job, signedIn(user), accessLevel)
        return presentHold(hold, mayChange, timeOf(deps))
      },
    }),
    operation('POST /projects/:id/jobs/:job_id/hold/extend', {
      summary: 'Extend the hold of a job',
      access: 'run_pipelines',
      params: ExtendHold,
      responses: { 200: Hold },
      run: async ({ project, params, user, accessLevel }) => {
        const { hold } = await enterHold(deps, project, params.job_id, { user: signedIn(user), accessLevel })
        const extended = await extendHold(deps, hold, params.seconds ?? 600)
        return presentHold(extended, true, timeOf(deps))
      },
    }),
    operation('DELETE /projects/:id/jobs/:job_id/hold', {
      summary: 'End the hold of a job: its runner removes the container',
      access: 'run_pipelines',
      params: HeldJobId,
      responses: { 204: NoBody },
      run: async ({ project, params, user, accessLevel }) => {
        const { hold } = await enterHold(deps, project, params.job_id, { user: signedIn(user), accessLevel })
        await finishHold(deps, hold.job_id, 'user')
        return respond(204, undefined)
      },
    }),
  ]
}
