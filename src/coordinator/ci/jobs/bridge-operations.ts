import { Type } from 'typebox'

import type { Caller, Project, User } from '../../access/caller.js'
import { isWithinLimit } from '../../access/project-limit.js'
import type { JobRow, ProjectRow } from '../../database/tables/pipeline-rows.js'
import { notFound } from '../../http/errors.js'
import { type Operation, operation } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { described } from '../../http/parameters/described.js'
import { findPipelineOfProject } from '../engine/pipeline-store.js'
import { describeBridges } from './describe-bridges.js'
import { describing, type JobOperationsDeps, jobRecord, type SeenInProject } from './job-operations-deps.js'
import { Bridge, type Job, JobScope } from './schema.js'
import { statusesOf } from './scope.js'
import { listJobs } from './store.js'

const PipelineBridges = Type.Object({
  pipeline_id: described(Type.Integer(), 'ID of the pipeline.'),
  ...JobScope.properties,
})

/** Operations on trigger jobs (API, I3). */
export function bridgeOperations(deps: JobOperationsDeps): Operation[] {
  const { database } = deps.engine
  return [
    operation('GET /projects/:id/pipelines/:pipeline_id/bridges', {
      summary: 'List trigger jobs of a pipeline, newest first',
      access: 'read_pipelines',
      params: PipelineBridges,
      responses: { 200: Type.Array(Bridge) },
      paginated: true,
      run: async (call) => {
        const { project, params, paging } = call
        const pipeline = await findPipelineOfProject(database, project.id, params.pipeline_id)
        if (!pipeline) throw notFound()
        const selection = {
          kind: 'bridge',
          pipelineId: pipeline.id,
          statuses: statusesOf(params.scope),
          latestOnly: true,
        } as const
        const { rows, total } = await listJobs(database, selection, paging)
        return page(await bridgeRecords(deps, call, rows), total)
      },
    }),
  ]
}

interface BridgeCall {
  caller: Caller
  user: User | undefined
  project: Project
}

/** Returns the public record of a job or trigger job. Throws 404 if it was deleted in the meantime. */
export async function jobOrBridgeRecord(
  deps: JobOperationsDeps,
  call: BridgeCall,
  job: JobRow,
): Promise<Job | Bridge> {
  if (job.kind === 'build') return jobRecord(deps, job)
  const [record] = await bridgeRecords(deps, call, [job])
  if (!record) throw notFound()
  return record
}

function bridgeRecords(deps: JobOperationsDeps, call: BridgeCall, bridges: JobRow[]): Promise<Bridge[]> {
  const { caller, user } = call
  const maySee =
    (what: SeenInProject) =>
    async (project: ProjectRow): Promise<boolean> => {
      if (project.id === call.project.id) return true
      // Otherwise, acting as the job's user, it could reach everything that the user may see.
      if (caller.kind === 'job' || !isWithinLimit(caller, project)) return false
      return deps.maySee(what, user, project)
    }
  return describeBridges(
    { ...describing(deps), mayRead: maySee('read_pipelines'), mayReadCode: maySee('read_code') },
    bridges,
  )
}
