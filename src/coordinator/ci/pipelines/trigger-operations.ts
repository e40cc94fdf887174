import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import { isRecord } from '../../../lib/is-record.js'
import type { Project } from '../../access/caller.js'
import type { PipelineRow } from '../../database/tables/pipeline-rows.js'
import { CREDENTIAL_PARAMETERS } from '../../http/authentication/credential.js'
import { type Operation, operation } from '../../http/operation.js'
import { described } from '../../http/parameters/described.js'
import { PipelineInputs, readPipelineInputs } from '../../http/parameters/pipeline-inputs.js'
import { REF_NAME } from '../../http/parameters/ref-name.js'
import { isTriggerToken } from '../engine/create/triggerer.js'
import type { EngineDeps } from '../engine/engine-deps.js'
import { Pipeline } from './schema.js'
import { triggerPipeline } from './trigger-pipeline.js'

export interface TriggerPipelineDeps {
  engine: EngineDeps
  /** Accepts the id or the full path of a project. */
  findProject: (idOrPath: string) => Promise<Project | undefined>
  record: (project: Project, pipeline: PipelineRow) => Promise<Pipeline>
}

const TriggerParameters = Type.Object({
  id: described(Type.String(), 'ID or full path of the project.'),
  token: described(
    Type.String({ minLength: 1 }),
    'Trigger token of the project, or token of a running job. With a body of more than 64 KiB, send it in the query.',
  ),
  ref: described(Type.String({ minLength: 1 }), `Branch or tag: ${REF_NAME}.`),
  variables: described(Type.Optional(Type.Unknown()), 'Variables of the pipeline: an object of strings.'),
  inputs: described(Type.Optional(PipelineInputs), 'Values for the inputs of the CI file, by name.'),
})

/** Starting pipelines by a token, without a user's credential; the second form suits web hooks (API, I2). */
export function triggerPipelineOperations(deps: TriggerPipelineDeps): Operation[] {
  return (
    ['POST /projects/:id/trigger/pipeline', 'POST /projects/:id/ref/:ref/trigger/pipeline'] as const
  ).map((route) =>
    operation(route, {
      summary: 'Trigger a pipeline with a trigger token or a job token',
      access: 'anyone',
      params: TriggerParameters,
      responses: { 201: Pipeline },
      identifies: async ({ id, token }) => {
        if (typeof id !== 'string' || typeof token !== 'string') return false
        const project = await deps.findProject(id)
        return project !== undefined && (await isTriggerToken(deps.engine.database, project.id, token))
      },
      run: async ({ params, request }) => {
        const project = await deps.findProject(params.id)
        const { token, ref, variables } = params
        const inputs = readPipelineInputs(params.inputs)
        const triggerRequest = { token, ref, variables, inputs, payload: payloadOf(request) }
        const pipeline = await triggerPipeline(deps.engine, project, triggerRequest)
        return project && deps.record(project, pipeline)
      },
    }),
  )
}

/** All query and body parameters, for the variable `TRIGGER_PAYLOAD`, without credentials. */
function payloadOf({ query, body }: FastifyRequest): string {
  const said = { ...(isRecord(query) && query), ...(isRecord(body) && body) }
  const kept = Object.entries(said).filter(([name]) => !CREDENTIAL_PARAMETERS.includes(name))
  return JSON.stringify(Object.fromEntries(kept))
}
