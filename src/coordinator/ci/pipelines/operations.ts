import { Type } from 'typebox'

import { wordsIn } from '../../../lib/words-in.js'
import type { Project } from '../../access/caller.js'
import { notFound } from '../../http/errors.js'
import { NoBody, type Operation, operation } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { described } from '../../http/parameters/described.js'
import { PipelineInputs, readPipelineInputs } from '../../http/parameters/pipeline-inputs.js'
import { REF_NAME } from '../../http/parameters/ref-name.js'
import { renamePipeline } from '../engine/pipeline-store.js'
import { cancelPipeline } from '../engine/retry/cancel.js'
import { resolveStoredRef, type StoredRef } from '../engine/stored-ref.js'
import { pipelineVariables } from '../predefined-variables/stored-variables.js'
import { actOf, actorOf, pipelineOf } from './act.js'
import { describePipelines } from './details/describe-pipelines.js'
import { pipelineCountOperations } from './details/operations.js'
import { DetailedPipeline } from './details/schema.js'
import { pipelineEverywhereOperations } from './everywhere/operations.js'
import { exposedArtifactOperations } from './exposed-artifacts/operations.js'
import { pipelineFailureOperations } from './failures/operations.js'
import { pipelineGraphOperations } from './graph/operations.js'
import type { PipelineOperationsDeps } from './pipeline-operations-deps.js'
import { pipelineRecord } from './pipeline-record.js'
import { deletePipeline, startPipeline } from './pipelines.js'
import { presentPipelineSummary } from './present.js'
import {
  Pipeline,
  PipelineFilters,
  PipelineId,
  PipelineMetadata,
  PipelinesByCommit,
  PipelineSummary,
  PipelineVariable,
  RetryOptions,
  VariableType,
} from './schema.js'
import { searchPipelines } from './search-pipelines.js'
import { rerunPipeline } from './stage-actions.js'
import { stageOperations } from './stage-operations.js'
import { pipelineStatisticsOperations } from './statistics/operations.js'
import { findLatestOfCommits, findLatestPipeline, listPipelines } from './store.js'
import { testReportOperations } from './test-report-operations.js'
import { triggerPipelineOperations } from './trigger-operations.js'

const NewPipeline = Type.Object({
  ref: described(Type.String({ minLength: 1 }), `Branch or tag: ${REF_NAME}.`),
  inputs: described(Type.Optional(PipelineInputs), 'Values for the inputs of the CI file, by name.'),
  variables: described(
    Type.Optional(
      Type.Array(
        Type.Object({
          key: described(Type.String({ minLength: 1 }), 'Name of the variable.'),
          value: described(Type.String(), 'Value of the variable.'),
          variable_type: described(
            Type.Optional(VariableType),
            'Type of the variable; `file` stores the value in a file and sets the variable to its path. `env_var` by default.',
          ),
        }),
      ),
    ),
    'Variables of the pipeline.',
  ),
})

/** Operations on pipelines for users (API, I3). */
export function pipelineOperations(deps: PipelineOperationsDeps): Operation[] {
  return [
    ...reading(deps),
    ...pipelineCountOperations(deps),
    ...pipelineStatisticsOperations(deps),
    ...pipelineEverywhereOperations(deps),
    ...pipelineGraphOperations(deps),
    ...pipelineFailureOperations(deps),
    ...exposedArtifactOperations(deps),
    ...testReportOperations(deps),
    ...acting(deps),
    ...stageOperations(deps),
    ...triggerPipelineOperations({
      engine: deps.engine,
      findProject: deps.findProject,
      record: (project, pipeline) => pipelineRecord(recordDeps(deps), project, pipeline),
    }),
  ]
}

function reading(deps: PipelineOperationsDeps): Operation[] {
  const { database, secrets, repositories } = deps.engine
  return [
    operation('GET /projects/:id/pipelines', {
      summary: 'List project pipelines',
      access: 'read_pipelines',
      scopes: ['mcp'],
      params: Type.Object({
        ...PipelineFilters.properties,
        search: described(
          Type.Optional(Type.String({ maxLength: 255 })),
          'Words, each a part of the ref, of the name, of the name of the user, or of title or author of the commit, or the first digits of its SHA, or the ID (beyond the reference).',
        ),
        with_details: described(
          Type.Optional(Type.Boolean()),
          'Whether to add commit, stages, tests and times; false by default (beyond the reference).',
        ),
      }),
      responses: { 200: Type.Array(Type.Union([DetailedPipeline, PipelineSummary])) },
      paginated: true,
      cacheable: true,
      keyset: { of: 'Ci::Pipeline', orders: ['id'] },
      run: async (call) => {
        const { project, params, paging } = call
        const { ref, search = '', with_details, ...filters } = params
        const on = ref === undefined ? undefined : await resolveStoredRef(deps.engine, project.id, ref)
        const words = wordsIn(search)
        const { rows, total } =
          words.length === 0
            ? await listPipelines(database, project.id, { ...filters, on }, paging)
            : await searchPipelines(deps.engine, { project, filters: { ...filters, on }, words }, paging)
        const records = with_details
          ? await describePipelines({ database, repositories, externalUrl: deps.externalUrl }, rows)
          : rows.map((row) => presentPipelineSummary(row, project, deps.externalUrl))
        return page(records, total)
      },
    }),
    operation('GET /projects/:id/pipelines/latest', {
      summary: 'Get the latest pipeline of a ref',
      access: 'read_pipelines',
      params: Type.Object({
        ref: described(
          Type.Optional(Type.String()),
          `Branch or tag: ${REF_NAME}. The default branch if absent.`,
        ),
      }),
      responses: { 200: Pipeline },
      cacheable: true,
      run: async (call) => {
        const { project, params } = call
        const on = await refOrDefaultBranch(deps, project, params.ref)
        const pipeline = on && (await findLatestPipeline(database, project.id, on))
        if (!pipeline) throw notFound()
        return pipelineRecord(recordDeps(deps), project, pipeline)
      },
    }),
    operation('GET /projects/:id/pipelines/by_commit', {
      summary: 'List the latest pipeline of each of several commits, newest first',
      access: 'read_pipelines',
      params: PipelinesByCommit,
      responses: { 200: Type.Array(PipelineSummary) },
      cacheable: true,
      run: async ({ project, params }) => {
        const rows = await findLatestOfCommits(database, project.id, params.shas)
        return rows.map((row) => presentPipelineSummary(row, project, deps.externalUrl))
      },
    }),
    operation('GET /projects/:id/pipelines/:pipeline_id', {
      summary: 'Get a pipeline',
      access: 'read_pipelines',
      params: PipelineId,
      responses: { 200: Pipeline },
      cacheable: true,
      run: async (call) => {
        const pipeline = await pipelineOf(deps, call.project, call.params.pipeline_id)
        return pipelineRecord(recordDeps(deps), call.project, pipeline)
      },
    }),
    operation('GET /projects/:id/pipelines/:pipeline_id/variables', {
      summary: 'List the variables of a pipeline',
      access: 'read_pipeline_variables',
      params: PipelineId,
      responses: { 200: Type.Array(PipelineVariable) },
      run: async ({ project, params }) => {
        const pipeline = await pipelineOf(deps, project, params.pipeline_id)
        const variables = await pipelineVariables({ database, secrets }, pipeline.id)
        return variables.map(({ key, value, file }) => ({
          key,
          value,
          variable_type: file ? ('file' as const) : ('env_var' as const),
        }))
      },
    }),
  ]
}

function acting(deps: PipelineOperationsDeps): Operation[] {
  const { engine } = deps
  return [
    operation('POST /projects/:id/pipeline', {
      summary: 'Create a pipeline',
      access: 'run_pipelines',
      scopes: ['mcp'],
      params: NewPipeline,
      responses: { 201: Pipeline },
      run: async (call) => {
        const { project, params } = call
        const variables = (params.variables ?? []).map(({ key, value, variable_type = 'env_var' }) => ({
          key,
          value,
          variable_type,
        }))
        const inputs = readPipelineInputs(params.inputs)
        const isFromPage = call.caller.kind === 'user' && call.caller.session !== undefined
        const source = isFromPage ? ('web' as const) : ('api' as const)
        const wanted = { source, ref: params.ref, variables, inputs }
        return pipelineRecord(
          recordDeps(deps),
          project,
          await startPipeline(engine, project, actorOf(call), wanted),
        )
      },
    }),
    operation('POST /projects/:id/pipelines/:pipeline_id/retry', {
      summary: 'Retry the failed and canceled jobs of a pipeline, or selected ones',
      access: 'run_pipelines',
      params: Type.Object({ ...PipelineId.properties, ...RetryOptions.properties }),
      exclusive: [
        ['jobs', 'from_stage'],
        ['jobs', 'only_failed'],
      ],
      responses: { 201: Pipeline },
      run: async (call) => {
        const rerun = await rerunPipeline(engine, await actOf(deps, call), call.params)
        return pipelineRecord(recordDeps(deps), call.project, rerun)
      },
    }),
    operation('POST /projects/:id/pipelines/:pipeline_id/cancel', {
      summary: 'Cancel all unfinished jobs of a pipeline',
      access: 'run_pipelines',
      params: PipelineId,
      responses: { 200: Pipeline },
      run: async ({ project, params }) => {
        const pipeline = await pipelineOf(deps, project, params.pipeline_id)
        return pipelineRecord(recordDeps(deps), project, await cancelPipeline(engine, pipeline))
      },
    }),
    operation('PUT /projects/:id/pipelines/:pipeline_id/metadata', {
      summary: 'Update the name of a pipeline',
      access: 'run_pipelines',
      jobToken: true,
      params: PipelineMetadata,
      responses: { 200: Pipeline },
      run: async ({ project, params }) => {
        const pipeline = await pipelineOf(deps, project, params.pipeline_id)
        const renamed = await renamePipeline(engine.database, pipeline.id, params.name)
        if (!renamed) throw notFound()
        return pipelineRecord(recordDeps(deps), project, renamed)
      },
    }),
    operation('DELETE /projects/:id/pipelines/:pipeline_id', {
      summary: 'Delete a pipeline with its logs and artifacts',
      access: 'delete_pipelines',
      params: PipelineId,
      responses: { 204: NoBody },
      modifiedAt: async ({ project, params }) =>
        (await pipelineOf(deps, project, params.pipeline_id)).updated_at,
      run: async ({ project, params }) =>
        deletePipeline(deps, await pipelineOf(deps, project, params.pipeline_id)),
    }),
  ]
}

async function refOrDefaultBranch(
  { engine }: PipelineOperationsDeps,
  project: Project,
  ref: string | undefined,
): Promise<StoredRef | undefined> {
  if (ref !== undefined) return resolveStoredRef(engine, project.id, ref)
  return project.default_branch === null ? undefined : { ref: project.default_branch, tag: false }
}

function recordDeps({ engine, externalUrl }: PipelineOperationsDeps) {
  return { database: engine.database, externalUrl }
}
