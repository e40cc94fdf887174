import { Type } from 'typebox'

import { mergeRecords } from '../../../lib/merge-records.js'
import { may } from '../../access/access.js'
import { notFound } from '../../http/errors.js'
import { type Operation, operation, type Page, page, type Paging } from '../../http/operation.js'
import { described } from '../../http/parameters/described.js'
import { OneOf, SortDirection } from '../../http/parameters/types.js'
import { findPipelineOfProject } from '../engine/pipeline-store.js'
import { jobOrBridgeRecord } from './bridge-operations.js'
import { describeJobs, describeRunnerJobs } from './describe-jobs.js'
import { describeDetails } from './details/describe-details.js'
import { describing, jobOf, type JobOperationsDeps, jobOrBridgeOf, jobRecord } from './job-operations-deps.js'
import { DetailedBridge, DetailedJob, Job, JobId, JobScope, RunnerJob } from './schema.js'
import { statusesOf } from './scope.js'
import { type JobSelection, listJobs } from './store.js'

const PipelineJobs = Type.Object({
  pipeline_id: described(Type.Integer(), 'ID of the pipeline.'),
  ...JobScope.properties,
  include_retried: described(
    Type.Optional(Type.Boolean()),
    'Whether to include jobs that were retried; false by default.',
  ),
})

const RunnerJobs = Type.Object({
  id: described(Type.Integer(), 'ID of the runner.'),
  system_id: described(Type.Optional(Type.String()), 'System ID of the runner manager to filter by.'),
  status: described(Type.Optional(OneOf('running', 'success', 'failed', 'canceled')), 'Status to filter by.'),
  order_by: described(Type.Optional(OneOf('id')), 'Field to order by: `id`.'),
  sort: described(Type.Optional(SortDirection), 'Sort order; `desc` by default.'),
})

export function jobListOperations(deps: JobOperationsDeps): Operation[] {
  const { database } = deps.engine
  return [
    operation('GET /runners/:id/jobs', {
      summary: 'List jobs of a runner',
      access: 'user',
      scopes: ['manage_runner'],
      params: RunnerJobs,
      answers: { 200: Type.Array(RunnerJob) },
      paginated: true,
      run: async ({ user, params, paging }) => {
        const runner = await deps.runnerFor(user, params.id)
        const selection = {
          runnerId: runner.id,
          systemId: params.system_id,
          projectIds: runner.projectIds,
          ...(params.status && { statuses: [params.status] }),
          oldestFirst: params.sort === 'asc',
        }
        const { rows, total } = await listJobs(database, selection, paging)
        return page(await describeRunnerJobs(describing(deps), rows), total)
      },
    }),
    operation('GET /job', {
      summary: 'Get the job of the calling job token',
      access: 'user',
      jobToken: true,
      answers: { 200: Job },
      cacheable: true,
      run: async ({ caller }) => {
        if (caller.kind !== 'job') throw notFound('Job')
        return jobRecord(deps, caller.job)
      },
    }),
    operation('GET /projects/:id/jobs', {
      summary: 'List project jobs, newest first',
      access: 'read_pipelines',
      jobToken: true,
      params: JobScope,
      answers: { 200: Type.Array(Job) },
      paginated: true,
      cacheable: true,
      keyset: { of: 'Ci::Build', orders: ['id desc'] },
      run: async (call) => {
        const { project, params, paging } = call
        return jobsPage({ projectId: project.id, statuses: statusesOf(params.scope) }, paging, false)
      },
    }),
    operation('GET /projects/:id/pipelines/:pipeline_id/jobs', {
      summary: 'List pipeline jobs, newest first',
      access: 'read_pipelines',
      jobToken: true,
      params: PipelineJobs,
      answers: { 200: Type.Array(Job) },
      paginated: true,
      cacheable: true,
      run: async (call) => {
        const { project, params, paging } = call
        const pipeline = await findPipelineOfProject(database, project.id, params.pipeline_id)
        if (!pipeline) throw notFound()
        const statuses = statusesOf(params.scope)
        const latestOnly = params.include_retried !== true
        return jobsPage({ pipelineId: pipeline.id, statuses, latestOnly }, paging, true)
      },
    }),
    operation('GET /projects/:id/jobs/:job_id', {
      summary: 'Get a job',
      access: 'read_pipelines',
      params: Type.Object({
        ...JobId.properties,
        with_details: described(
          Type.Optional(Type.Boolean()),
          'Whether to add attempts, needs, why it waits and more, and to serve trigger jobs too; false by default (beyond the reference).',
        ),
      }),
      answers: { 200: Type.Union([DetailedJob, DetailedBridge, Job]) },
      cacheable: true,
      run: async (call) => {
        const { project, params } = call
        if (!params.with_details) return jobRecord(deps, await jobOf(deps, project, params.job_id))
        const job = await jobOrBridgeOf(deps, project, params.job_id)
        const withRunners = may('admin_runners', call)
        return mergeRecords(
          await jobOrBridgeRecord(deps, call, job),
          await describeDetails(deps.engine, job, { withRunners }),
        )
      },
    }),
  ]

  async function jobsPage(selection: JobSelection, paging: Paging, counted: boolean): Promise<Page> {
    const { rows, total } = await listJobs(database, selection, paging, counted)
    return page(await describeJobs(describing(deps), rows), total)
  }
}
