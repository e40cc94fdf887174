import { Type } from 'typebox'

import { branchOrTag } from '../../../git/names.js'
import { mergeRecords } from '../../../lib/merge-records.js'
import { wordsIn } from '../../../lib/words-in.js'
import { may } from '../../access/access.js'
import type { Project } from '../../access/caller.js'
import { notFound } from '../../http/errors.js'
import { type Operation, operation } from '../../http/operation.js'
import { type Page, page, type Paging } from '../../http/page.js'
import { described } from '../../http/parameters/described.js'
import { OneOf, SortDirection } from '../../http/parameters/types.js'
import { findPipelineOfProject } from '../engine/pipeline-store.js'
import { resolveStoredRef } from '../engine/stored-ref.js'
import { jobOrBridgeRecord } from './bridge-operations.js'
import { describeJobs, describeRunnerJobs } from './describe-jobs.js'
import { describeDetails } from './details/describe-details.js'
import { describing, jobOf, type JobOperationsDeps, jobOrBridgeOf, jobRecord } from './job-operations-deps.js'
import { DetailedBridge, DetailedJob, Job, JobFilters, JobId, JobScope, RunnerJob } from './schema.js'
import { statusesOf } from './scope.js'
import { type JobSelection, listJobs } from './store.js'

const PipelineJobs = Type.Object({
  pipeline_id: described(Type.Integer(), 'ID of the pipeline.'),
  ...JobScope.properties,
  ...JobFilters.properties,
  include_retried: described(
    Type.Optional(Type.Boolean()),
    'Whether to include jobs that were retried; false by default.',
  ),
})

const RunnerJobs = Type.Object({
  id: described(Type.Integer(), 'ID of the runner.'),
  system_id: described(Type.Optional(Type.String()), 'System ID of the runner manager to filter by.'),
  status: described(Type.Optional(OneOf('running', 'success', 'failed', 'canceled')), 'Status to filter by.'),
  name: JobFilters.properties.name,
  search: JobFilters.properties.search,
  ref: JobFilters.properties.ref,
  tag: JobFilters.properties.tag,
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
      responses: { 200: Type.Array(RunnerJob) },
      paginated: true,
      keyset: { of: 'Ci::Build', orders: ['id'] },
      run: async ({ user, params, paging }) => {
        const runner = await deps.runnerFor(user, params.id)
        const selection = {
          ...filtersAnywhere(params),
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
      responses: { 200: Job },
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
      params: Type.Object({ ...JobScope.properties, ...JobFilters.properties }),
      responses: { 200: Type.Array(Job) },
      paginated: true,
      cacheable: true,
      keyset: { of: 'Ci::Build', orders: ['id desc'] },
      run: async (call) => {
        const { project, params, paging } = call
        const selection = {
          projectId: project.id,
          statuses: statusesOf(params.scope),
          ...(await filtersIn(project, params)),
        }
        return jobsPage(selection, paging, false)
      },
    }),
    operation('GET /jobs', {
      summary: 'List jobs of all projects, newest first',
      access: 'administrator',
      params: Type.Object({ ...JobScope.properties, ...JobFilters.properties }),
      responses: { 200: Type.Array(RunnerJob) },
      paginated: true,
      cacheable: true,
      keyset: { of: 'Ci::Build', orders: ['id desc'] },
      run: async ({ params, paging }) => {
        const selection = {
          statuses: statusesOf(params.scope),
          ...filtersAnywhere(params),
        }
        const { rows, total } = await listJobs(database, selection, paging, false)
        return page(await describeRunnerJobs(describing(deps), rows), total)
      },
    }),
    operation('GET /projects/:id/pipelines/:pipeline_id/jobs', {
      summary: 'List pipeline jobs, newest first',
      access: 'read_pipelines',
      jobToken: true,
      params: PipelineJobs,
      responses: { 200: Type.Array(Job) },
      paginated: true,
      cacheable: true,
      run: async (call) => {
        const { project, params, paging } = call
        const pipeline = await findPipelineOfProject(database, project.id, params.pipeline_id)
        if (!pipeline) throw notFound()
        const selection = {
          pipelineId: pipeline.id,
          statuses: statusesOf(params.scope),
          latestOnly: params.include_retried !== true,
          ...(await filtersIn(project, params)),
        }
        return jobsPage(selection, paging, true)
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
      responses: { 200: Type.Union([DetailedJob, DetailedBridge, Job]) },
      cacheable: true,
      run: async (call) => {
        const { project, params } = call
        if (!params.with_details) return jobRecord(deps, await jobOf(deps, project, params.job_id))
        const job = await jobOrBridgeOf(deps, project, params.job_id)
        const withRunners = may('admin_runners', call)
        return mergeRecords(
          await jobOrBridgeRecord(deps, call, job),
          await describeDetails(deps.engine, job, {
            withRunners,
            withValues: may('read_pipeline_variables', call),
          }),
        )
      },
    }),
  ]

  /** A branch or tag of a project is resolved as in lists of pipelines. */
  async function filtersIn(project: Project, params: JobFilters): Promise<JobSelection> {
    if (params.ref === undefined) return filtersOf(params)
    const { ref, tag: isTag } = await resolveStoredRef(deps.engine, project.id, params.ref)
    return { ...filtersOf(params), ref, isTag }
  }

  async function jobsPage(selection: JobSelection, paging: Paging, counted: boolean): Promise<Page> {
    const { rows, total } = await listJobs(database, selection, paging, counted)
    return page(await describeJobs(describing(deps), rows), total)
  }
}

function filtersOf({ name, search, runner_id, tag }: JobFilters): JobSelection {
  return {
    name,
    words: search === undefined ? undefined : wordsIn(search),
    runnerId: runner_id,
    runnerTag: tag,
  }
}

/** A short name selects branches and tags of all projects. */
function filtersAnywhere({ ref = '', ...params }: JobFilters): JobSelection {
  const full = branchOrTag(ref)
  return {
    ...filtersOf(params),
    ref: full?.name ?? (ref === '' ? undefined : ref),
    ...(full && { isTag: full.kind === 'tag' }),
  }
}
