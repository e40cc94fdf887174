import { Type } from 'typebox'

import { isRecord } from '../../lib/is-record.js'
import { PipelineId, Project, type Tool, tool } from '../tool.js'
import { elements, pick } from './pick.js'

const PIPELINE = ['id', 'status', 'source', 'ref', 'sha', 'created_at', 'web_url'] as const
const JOB = [
  'id',
  'name',
  'stage',
  'status',
  'allow_failure',
  'failure_reason',
  'waiting',
  'duration',
] as const

/** Tools about pipelines: which there are, how they are, and how to start one. */
export const pipelineTools: Tool[] = [
  tool({
    name: 'list_pipelines',
    title: 'List pipelines',
    description:
      'The latest pipelines of a project, the newest first; of one branch, commit or status if given.',
    routes: ['GET /projects/:id/pipelines'],
    input: {
      project: Project,
      ref: Type.Optional(Type.String({ description: 'Only those of this branch or tag.' })),
      sha: Type.Optional(Type.String({ description: 'Only those of this commit.' })),
      status: Type.Optional(
        Type.String({ description: 'Only those with this status: failed, success, running, pending, …' }),
      ),
    },
    run: async (api, { project: id, ...filter }) =>
      elements(await api.call('GET /projects/:id/pipelines', { id, per_page: 20, ...filter })).map((each) =>
        pick(each, PIPELINE),
      ),
  }),
  tool({
    name: 'pipeline_jobs',
    title: 'List the jobs of a pipeline',
    description:
      'All jobs of a pipeline with their statuses, and for each that waits the sentence that says why.',
    routes: ['GET /projects/:id/pipelines/:pipeline_id/graph'],
    input: { project: Project, pipeline: PipelineId },
    run: async (api, { project: id, pipeline: pipeline_id }) => {
      const graph = await api.call('GET /projects/:id/pipelines/:pipeline_id/graph', { id, pipeline_id })
      const { status, jobs } = isRecord(graph) ? graph : {}
      return { status, jobs: elements(jobs).map((job) => pick(job, JOB)) }
    },
  }),
  tool({
    name: 'pipeline_failures',
    title: 'Say why a pipeline failed',
    description:
      'The failed jobs of a pipeline: reason, exit code, the lines of the log around the cause, and failed tests. The first thing to ask about a red pipeline.',
    routes: ['GET /projects/:id/pipelines/:pipeline_id/failures'],
    input: { project: Project, pipeline: PipelineId },
    run: (api, { project: id, pipeline: pipeline_id }) =>
      api.call('GET /projects/:id/pipelines/:pipeline_id/failures', { id, pipeline_id }),
  }),
  tool({
    name: 'run_pipeline',
    title: 'Run a pipeline',
    description: 'Starts a pipeline for a branch or tag, with variables if given.',
    changes: true,
    routes: ['POST /projects/:id/pipeline'],
    input: {
      project: Project,
      ref: Type.String({ minLength: 1, description: 'Branch or tag.' }),
      variables: Type.Optional(
        Type.Record(Type.String(), Type.String(), { description: 'Values of variables, by their names.' }),
      ),
    },
    run: async (api, { project: id, ref, variables = {} }) => {
      const given = Object.entries(variables).map(([key, value]) => ({ key, value }))
      const created = await api.call('POST /projects/:id/pipeline', { id, ref }, { variables: given })
      return pick(created, PIPELINE)
    },
  }),
  tool({
    name: 'lint',
    title: 'Check a CI file',
    description: 'Checks the text of a CI file as if it were that of the project, before it is pushed.',
    routes: ['POST /projects/:id/ci/lint'],
    input: {
      project: Project,
      content: Type.String({ description: 'Text of the file.' }),
      ref: Type.Optional(Type.String({ description: 'Branch whose files and variables count.' })),
    },
    run: async (api, { project: id, content, ref }) => {
      const report = await api.call('POST /projects/:id/ci/lint', { id, content, ref, include_jobs: true })
      return pick(report, ['valid', 'errors', 'warnings', 'problems', 'jobs'])
    },
  }),
]
