import type { Project, User } from '../access/caller.js'
import type { Job } from '../ci/jobs/schema.js'
import { describeGraphJobs } from '../ci/pipelines/graph/describe-graph.js'
import { addOutputTimes } from '../ci/pipelines/graph/output-times.js'
import { presentExternal } from '../ci/pipelines/graph/present.js'
import type { GraphJob } from '../ci/pipelines/graph/schema.js'
import { findExternalRows, findStages } from '../ci/pipelines/graph/store.js'
import { pipelineRecord } from '../ci/pipelines/pipeline-record.js'
import type { Traces } from '../ci/storage/traces.js'
import type { Database } from '../database/connect.js'
import type { JobRow, PipelineRow } from '../database/tables/pipeline-rows.js'
import { type LiveEvent, liveEvent } from './live-event.js'
import type { PipelineMessage } from './messages.js'

export interface LiveRecordDeps {
  database: Database
  /** Without a trailing slash. */
  externalUrl: string
  findProject: (idOrPath: string) => Promise<Project | undefined>
  /** Whether a user, or an anonymous caller, may read the pipelines of a project. */
  mayRead: (user: User | undefined, project: Project) => Promise<boolean>
  describeJobs: (jobs: JobRow[]) => Promise<Job[]>
  traces: Pick<Traces, 'beginOf'>
}

type PipelineState = Omit<PipelineMessage, 'version'>

type PlacedPipeline = Pick<PipelineRow, 'id' | 'project_id'>

/** The record of a pipeline with its stages. Undefined if the project was deleted in the meantime. */
export async function pipelineState(
  deps: LiveRecordDeps,
  pipeline: PipelineRow,
): Promise<PipelineState | undefined> {
  const project = await deps.findProject(String(pipeline.project_id))
  if (!project) return undefined
  const record = await pipelineRecord(deps, project, pipeline)
  return { ...record, stages: await findStages(deps.database, pipeline.id) }
}

export function pipelineEvent(state: PipelineState, version: number, asOf?: number): LiveEvent {
  return liveEvent(
    'pipeline',
    { ...state, version },
    { kind: 'pipeline', ...(asOf !== undefined && { asOf }) },
  )
}

/**
 * Jobs of a pipeline as one viewer sees them, with the times at which their logs began. `isShared`: they are the same
 * for all viewers, because no trigger job shows a pipeline of another project.
 */
export async function graphJobs(
  { database, mayRead, traces }: LiveRecordDeps,
  { project_id }: PlacedPipeline,
  ids: number[],
  viewer: User | undefined,
): Promise<{ jobs: GraphJob[]; isShared: boolean }> {
  let isShared = true
  const jobs = await describeGraphJobs(
    {
      database,
      mayRead: async (project) => {
        if (project.id === project_id) return true
        isShared = false
        return mayRead(viewer, project)
      },
    },
    ids,
  )
  return { jobs: await addOutputTimes(traces, project_id, jobs), isShared }
}

/** The statuses that other systems reported for a pipeline, as jobs of its graph. */
export async function externalJobs({ database }: LiveRecordDeps, pipelineId: number): Promise<GraphJob[]> {
  return (await findExternalRows(database, pipelineId)).map(presentExternal)
}

/** Maximum number of jobs of one event. */
export const JOBS_PER_EVENT = 200

export function jobsEvent(
  { id, project_id }: PlacedPipeline,
  jobs: GraphJob[],
  version: number,
  asOf?: number,
): LiveEvent {
  return liveEvent(
    'jobs',
    { pipeline_id: id, project_id, version, jobs },
    { kind: 'pipeline', ...(asOf !== undefined && { asOf }) },
  )
}

export async function jobEvent(
  deps: LiveRecordDeps,
  job: JobRow,
  asOf?: number,
): Promise<LiveEvent | undefined> {
  const [record] = await deps.describeJobs([job])
  return record && liveEvent('job', record, { kind: 'job', ...(asOf !== undefined && { asOf }) })
}
