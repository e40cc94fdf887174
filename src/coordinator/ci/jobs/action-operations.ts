import { Type } from 'typebox'

import { HOLD_VARIABLE } from '../../../protocol/hold-variable.js'
import { MAINTAINER } from '../../access/access-levels.js'
import type { Project, User } from '../../access/caller.js'
import { maySetVariables } from '../../access/may-set-variables.js'
import type { JobRow } from '../../database/tables/pipeline-rows.js'
import { apiError, forbidden } from '../../http/errors.js'
import { type Operation, operation } from '../../http/operation.js'
import { described } from '../../http/parameters/described.js'
import { OneOf } from '../../http/parameters/types.js'
import { signedIn } from '../../http/viewer.js'
import { gateOf } from '../engine/deployments/protection/gates.js'
import { refusalToPlay } from '../engine/permissions/refusal-to-run-on.js'
import { cancelJob } from '../engine/retry/cancel.js'
import { playJob } from '../engine/retry/play.js'
import { retryJob } from '../engine/retry/retry.js'
import { unscheduleJob } from '../engine/retry/unschedule.js'
import { jobOrBridgeRecord } from './bridge-operations.js'
import { eraseJob } from './erase-job.js'
import { jobOf, type JobOperationsDeps, jobOrBridgeOf, jobRecord } from './job-operations-deps.js'
import { Bridge, Job, JobId } from './schema.js'
import { JobInputs, typedInputs } from './typed-inputs.js'
import { TypedVariables, typedVariables } from './typed-variables.js'

const AnyJob = Type.Union([Job, Bridge])

/** Operations that play, retry, cancel or erase a job. */
export function jobActionOperations(deps: JobOperationsDeps): Operation[] {
  const { engine } = deps
  return [
    operation('POST /projects/:id/jobs/:job_id/cancel', {
      summary: 'Cancel a job',
      access: 'run_pipelines',
      params: Type.Object({
        ...JobId.properties,
        force: described(
          Type.Optional(Type.Boolean()),
          'Whether to end a job that is already canceling; requires the Maintainer role.',
        ),
      }),
      responses: { 201: AnyJob },
      run: async (call) => {
        const { project, params, accessLevel } = call
        if (params.force && accessLevel < MAINTAINER) throw forbidden()
        const job = await jobOrBridgeOf(deps, project, params.job_id)
        return jobOrBridgeRecord(deps, call, await cancelJob(engine, job, { force: params.force ?? false }))
      },
    }),
    operation('POST /projects/:id/jobs/:job_id/retry', {
      summary: 'Retry a job',
      access: 'run_pipelines',
      scopes: ['mcp'],
      params: Type.Object({
        ...JobId.properties,
        job_variables_attributes: described(Type.Optional(TypedVariables), 'Variables for this run only.'),
        inputs: described(Type.Optional(JobInputs), 'Values for the inputs of the job, by name.'),
        hold: described(
          Type.Optional(OneOf('failure', 'always')),
          'Whether the runner keeps the container of the new job after its end, or after its failure (beyond the reference).',
        ),
      }),
      responses: { 201: AnyJob },
      run: async (call) => {
        const { project, params, user, accessLevel } = call
        const job = await jobOrBridgeOf(deps, project, params.job_id)
        await checkMayRun(deps, project, job, signedIn(user))
        const inputs = typedInputs(job, params.inputs)
        const variables = typedVariables(params.job_variables_attributes)
        checkMaySet(project, variables, accessLevel)
        const all = withHold(variables, params.hold)
        const result = await retryJob(engine, job, signedIn(user), { variables: all, inputs })
        if (result === 'not-retryable') throw apiError('job_not_retryable')
        if (result === 'forbidden') throw apiError('not_a_deployer')
        return jobOrBridgeRecord(deps, call, result)
      },
    }),
    operation('POST /projects/:id/jobs/:job_id/play', {
      summary: 'Start a manual job, or a delayed job before its time',
      access: 'run_pipelines',
      params: Type.Object({
        ...JobId.properties,
        job_variables_attributes: described(Type.Optional(TypedVariables), 'Variables for this run only.'),
        job_inputs: described(Type.Optional(JobInputs), 'Values for the inputs of the job, by name.'),
      }),
      responses: { 200: AnyJob },
      run: async (call) => {
        const { project, params, user, accessLevel } = call
        const job = await jobOrBridgeOf(deps, project, params.job_id)
        await checkMayRun(deps, project, job, signedIn(user))
        const inputs = typedInputs(job, params.job_inputs)
        const variables = typedVariables(params.job_variables_attributes)
        checkMaySet(project, variables, accessLevel)
        const result = await playJob(engine, job, signedIn(user), { variables, inputs })
        if (result === 'unplayable') throw apiError('job_not_playable')
        if (result === 'forbidden') throw apiError('not_a_deployer')
        if (result === 'unapproved') throw apiError('deployment_not_approved')
        return jobOrBridgeRecord(deps, call, result)
      },
    }),
    operation('POST /projects/:id/jobs/:job_id/unschedule', {
      summary: 'Unschedule a delayed job, so that only a user can start it',
      access: 'run_pipelines',
      params: JobId,
      responses: { 200: AnyJob },
      run: async (call) => {
        const { project, params, user } = call
        const job = await jobOrBridgeOf(deps, project, params.job_id)
        await checkMayRun(deps, project, job, signedIn(user))
        if ((await gateOf(engine, engine.database, job, signedIn(user).id)) === 'forbidden') {
          throw apiError('not_a_deployer')
        }
        const result = await unscheduleJob(engine, job)
        if (result === 'not-scheduled') throw apiError('job_not_scheduled')
        return jobOrBridgeRecord(deps, call, result)
      },
    }),
    operation('POST /projects/:id/jobs/:job_id/erase', {
      summary: 'Erase the log and the artifacts of a finished job',
      access: 'run_pipelines',
      params: JobId,
      responses: { 201: Job },
      run: async ({ project, params, user, accessLevel }) => {
        const { database } = engine
        const job = await jobOf(deps, project, params.job_id)
        return jobRecord(deps, await eraseJob({ ...deps, database }, job, user, accessLevel))
      },
    }),
  ]
}

/** Throws 403 if the user may not run jobs, for example on a protected ref or in an archived project. */
async function checkMayRun(
  { engine }: JobOperationsDeps,
  project: Project,
  job: JobRow,
  user: User,
): Promise<void> {
  const refusal = await refusalToPlay(engine, { project, user }, job)
  if (refusal) throw apiError('ref_not_runnable', { reason: refusal.message })
}

/** A hold is asked for by a variable, which the project does not restrict: it changes nothing of what the job does. */
function withHold(variables: TypedVariables, hold: string | undefined): TypedVariables {
  if (hold === undefined) return variables
  return [...variables.filter(({ key }) => key !== HOLD_VARIABLE), { key: HOLD_VARIABLE, value: hold }]
}

/** Throws 403 for variables if the project lets only maintainers set them. */
function checkMaySet(project: Project, variables: unknown[], accessLevel: number): void {
  if (variables.length > 0 && !maySetVariables(project, accessLevel)) throw forbidden()
}
