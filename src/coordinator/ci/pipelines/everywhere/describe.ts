import type { User } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import type { PipelineRow } from '../../../database/tables/pipeline-rows.js'
import { presentPipelineBrief } from '../../../http/presenters/present-pipeline.js'
import { isoTime } from '../../../http/presenters/present-time.js'
import { describePipelines, type DescribePipelinesDeps } from '../details/describe-pipelines.js'
import type {
  DetailedPipelineEverywhere,
  PipelineAttention,
  PipelineEverywhere,
  PipelinesSummary,
  ProjectBrief,
} from './schema.js'
import {
  countUnderWay,
  findFailedPipelines,
  findFailedSchedules,
  findLastPipelinesOfProjects,
  findProjectsById,
  findReadableProjects,
  findWaitingJobs,
} from './store.js'

/** Records of pipelines of many projects, in the same order. */
export async function describeEverywhere(
  { database, externalUrl }: Pick<DescribePipelinesDeps, 'database' | 'externalUrl'>,
  rows: PipelineRow[],
): Promise<PipelineEverywhere[]> {
  const projects = await projectsOf(database, rows)
  return rows.flatMap((row) => {
    const project = projects.get(row.project_id)
    if (!project) return []
    const brief = presentPipelineBrief(row, `${externalUrl}/${project.path_with_namespace}`)
    return { ...brief, name: row.name, project }
  })
}

/** As `describeEverywhere`, with details. */
export async function describeEverywhereWithDetails(
  deps: DescribePipelinesDeps,
  rows: PipelineRow[],
): Promise<DetailedPipelineEverywhere[]> {
  const projects = await projectsOf(deps.database, rows)
  const records = await describePipelines(deps, rows)
  return records.flatMap((record) => {
    const project = projects.get(record.project_id)
    return project ? { ...record, project } : []
  })
}

async function projectsOf(database: Database, rows: PipelineRow[]): Promise<Map<number, ProjectBrief>> {
  if (rows.length === 0) return new Map()
  const projects = await findProjectsById(
    database,
    rows.map(({ project_id }) => project_id),
  )
  return new Map(
    projects.map(({ id, name, full_path }) => [id, { id, name, path_with_namespace: full_path }]),
  )
}

/** Jobs, schedules and pipelines that wait for the user. */
export async function describeAttention(
  deps: DescribePipelinesDeps,
  viewer: User,
  now = Date.now(),
): Promise<PipelineAttention> {
  const { database } = deps
  const jobs = await findWaitingJobs(database, viewer, now)
  const schedules = await findFailedSchedules(database, viewer)
  return {
    manual_jobs: jobs.map((row) => ({
      id: row.id,
      name: row.name,
      stage: row.stage,
      environment: row.environment,
      manual_confirmation: row.manual_confirmation,
      pipeline: {
        id: row.pipeline_id,
        iid: row.iid,
        ref: row.ref,
        name: row.pipeline_name,
        created_at: isoTime(row.created_at),
      },
      project: presentProject(row),
    })),
    schedules: schedules.map((row) => ({
      id: row.id,
      description: row.description,
      ref: row.ref,
      last_failure: row.last_failure,
      updated_at: isoTime(row.updated_at),
      project: presentProject(row),
    })),
    failed_pipelines: await describeEverywhereWithDetails(
      deps,
      await findFailedPipelines(database, viewer, now),
    ),
  }
}

function presentProject(row: { project_id: number; project_name: string; full_path: string }): ProjectBrief {
  return { id: row.project_id, name: row.project_name, path_with_namespace: row.full_path }
}

/** The last pipelines of projects whose pipelines the caller may read, in the order of the IDs. */
export async function summarizePipelines(
  { database, externalUrl }: Pick<DescribePipelinesDeps, 'database' | 'externalUrl'>,
  viewer: User | undefined,
  ids: number[],
): Promise<PipelinesSummary[]> {
  const projects = await findReadableProjects(database, viewer, ids)
  const rows = await findLastPipelinesOfProjects(database, projects)
  const running = await countUnderWay(
    database,
    projects.map(({ id }) => id),
  )
  const byId = new Map(projects.map((project) => [project.id, project]))
  return [...new Set(ids)].flatMap((id) => {
    const project = byId.get(id)
    if (!project) return []
    const own = rows.filter(({ project_id }) => project_id === id)
    const [last] = own
    return {
      project_id: id,
      last_pipeline: last
        ? { ...presentPipelineBrief(last, `${externalUrl}/${project.full_path}`), name: last.name }
        : null,
      pipelines: own
        .toReversed()
        .map(({ id: pipelineId, status, duration }) => ({ id: pipelineId, status, duration })),
      running: running.get(id) ?? 0,
    }
  })
}
