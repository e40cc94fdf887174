import type { Database } from '../../../database/connect.js'
import type { PipelineRow, ProjectRow } from '../../../database/tables/pipeline-rows.js'
import { isoTime, isoTimeOrNull } from '../../../http/presenters/present-time.js'
import { archivedTest } from '../../engine/archived-jobs.js'
import { findWaiting } from '../../queue/waiting/find-waiting.js'
import { presentExternal, presentGraphJob } from './present.js'
import type { GraphJob, LinkedPipeline, PipelineGraph, PipelineState } from './schema.js'
import {
  type AttemptRow,
  findExternalRows,
  findGraphRows,
  findGraphRowsById,
  findLinkedDownstream,
  findLinkedUpstream,
  findNeededNames,
  findPipelineVersion,
  findProjects,
  findReplacedAttempts,
  findStages,
  type GraphRow,
  type LinkedRow,
} from './store.js'

export interface GraphDeps {
  database: Database
  /** Whether the caller may see the pipelines of a project. */
  mayRead: (project: ProjectRow) => Promise<boolean>
}

/** A pipeline with all its jobs, in a number of queries that does not depend on the number of jobs. */
export async function describeGraph(
  deps: GraphDeps,
  pipeline: PipelineRow,
  { withAttempts }: { withAttempts: boolean },
): Promise<PipelineGraph> {
  const { database } = deps
  // Read before the jobs: a change in between makes the version older than the jobs, never newer.
  const state = await describeState(database, pipeline)
  const rows = await findGraphRows(database, pipeline.id)
  const needs = await findNeededNames(database, { pipelineId: pipeline.id })
  const upstream = await findLinkedUpstream(database, pipeline.id)
  const [linked] = upstream ? await linkedPipelines(deps, [upstream]) : []
  const jobs = await describeRows(deps, rows, { needs, withAttempts })
  const external = await findExternalRows(database, pipeline.id)
  return {
    ...state,
    upstream: linked ?? null,
    jobs: [...jobs, ...external.map(presentExternal)],
  }
}

/** The status, times and stages of a pipeline. */
async function describeState(database: Database, pipeline: PipelineRow): Promise<PipelineState> {
  return {
    id: pipeline.id,
    iid: pipeline.iid,
    project_id: pipeline.project_id,
    status: pipeline.status,
    version: (await findPipelineVersion(database, pipeline.id)) ?? pipeline.updated_at,
    created_at: isoTime(pipeline.created_at),
    started_at: isoTimeOrNull(pipeline.started_at),
    finished_at: isoTimeOrNull(pipeline.finished_at),
    duration: pipeline.duration,
    stages: await findStages(database, pipeline.id),
  }
}

/**
 * The records of jobs of any pipelines, as in the graph. Attempts that were replaced are left out: the record
 * of the newer attempt has the same name and pipeline.
 */
export async function describeGraphJobs(deps: GraphDeps, jobIds: number[]): Promise<GraphJob[]> {
  if (jobIds.length === 0) return []
  const rows = await findGraphRowsById(deps.database, jobIds)
  const needs = await findNeededNames(deps.database, { jobIds })
  return describeRows(deps, rows, { needs, withAttempts: false })
}

async function describeRows(
  deps: GraphDeps,
  rows: GraphRow[],
  { needs, withAttempts }: { needs: ReadonlyMap<number, string[]>; withAttempts: boolean },
): Promise<GraphJob[]> {
  const { database } = deps
  const attempts = await attemptsByJob(database, rows)
  const waiting = await findWaiting(database, rows, { withPosition: false })
  const downstream = await downstreamByJob(deps, rows)
  const isArchived = await archivedTest(database)
  return rows.map((row) => {
    const earlier = attempts.get(attemptKey(row)) ?? []
    return presentGraphJob(row, {
      needs: needs.get(row.id) ?? [],
      waiting: waiting.get(row.id)?.message ?? null,
      attempts: earlier.length + 1,
      earlierAttempts: withAttempts ? earlier : undefined,
      downstream: downstream.get(row.id) ?? null,
      isArchived: isArchived(row),
    })
  })
}

async function attemptsByJob(database: Database, rows: GraphRow[]): Promise<Map<string, AttemptRow[]>> {
  const pipelineIds = [...new Set(rows.map(({ pipeline_id }) => pipeline_id))]
  const attempts = pipelineIds.length === 0 ? [] : await findReplacedAttempts(database, pipelineIds)
  const byJob = new Map<string, AttemptRow[]>()
  for (const attempt of attempts) {
    const earlier = byJob.get(attemptKey(attempt))
    if (earlier) earlier.push(attempt)
    else byJob.set(attemptKey(attempt), [attempt])
  }
  return byJob
}

function attemptKey({ pipeline_id, name }: { pipeline_id: number; name: string }): string {
  return `${pipeline_id} ${name}`
}

async function downstreamByJob(deps: GraphDeps, rows: GraphRow[]): Promise<Map<number, LinkedPipeline>> {
  const triggers = rows.filter(({ kind }) => kind === 'bridge').map(({ id }) => id)
  const found = await findLinkedDownstream(deps.database, triggers)
  const linked = await linkedPipelines(deps, [...found.values()])
  const byId = new Map(linked.map((pipeline) => [pipeline.id, pipeline]))
  return new Map(
    [...found].flatMap(([jobId, { id }]) => {
      const pipeline = byId.get(id)
      return pipeline ? [[jobId, pipeline] as const] : []
    }),
  )
}

/** Those of the pipelines that the caller may see. Each project is checked once. */
async function linkedPipelines(
  { database, mayRead }: GraphDeps,
  rows: LinkedRow[],
): Promise<LinkedPipeline[]> {
  const projects = await findProjects(database, [...new Set(rows.map(({ project_id }) => project_id))])
  const paths = new Map<number, string>()
  for (const project of projects) if (await mayRead(project)) paths.set(project.id, project.full_path)
  return rows.flatMap(({ id, project_id, status }) => {
    const project_path = paths.get(project_id)
    return project_path === undefined ? [] : [{ id, project_id, project_path, status }]
  })
}
