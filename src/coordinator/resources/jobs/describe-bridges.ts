import type { Database } from '../../database/connect.js'
import type { JobRow, PipelineRow, ProjectRow } from '../../engine/rows.js'
import { type PipelineBrief, presentPipelineBrief } from '../../http/present-pipeline.js'
import { describeJobs, type DescribeJobsDeps } from './describe-jobs.js'
import type { Bridge, Job } from './schema.js'
import { followedPipelines, projectsById } from './store.js'

export interface DescribeBridgesDeps extends DescribeJobsDeps {
  /** Whether whoever asks may see the pipelines of a project. */
  mayRead: (project: ProjectRow) => Promise<boolean>
}

/** Public records of trigger jobs, in the same order; a pipeline that whoever asks may not see is left out of its record. */
export async function describeBridges(deps: DescribeBridgesDeps, bridges: JobRow[]): Promise<Bridge[]> {
  const records = await describeJobs(deps, bridges)
  const errors = new Map(bridges.map(({ id, downstream_errors }) => [id, downstream_errors]))
  const downstream = await downstreamRecords(deps, bridges)
  return records.map((record) => ({
    ...withoutRunner(record),
    downstream_errors: errors.get(record.id)?.split('\n') ?? [],
    downstream_pipeline: downstream.get(record.id) ?? null,
  }))
}

function withoutRunner(record: Job) {
  const { artifacts_file, artifacts, artifacts_expire_at, runner, runner_manager, tag_list, ...rest } = record
  return rest
}

async function downstreamRecords(
  deps: DescribeBridgesDeps,
  bridges: JobRow[],
): Promise<Map<number, PipelineBrief>> {
  const ids = bridges.map(({ id }) => id)
  const pipelines = await followedPipelines(deps.database, ids)
  const projects = await readableProjects(deps, [...pipelines.values()])
  const records = new Map<number, PipelineBrief>()
  for (const [jobId, pipeline] of pipelines) {
    const project = projects.get(pipeline.project_id)
    if (!project) continue
    records.set(jobId, presentPipelineBrief(pipeline, `${deps.externalUrl}/${project.full_path}`))
  }
  return records
}

async function readableProjects(
  { database, mayRead }: { database: Database; mayRead: DescribeBridgesDeps['mayRead'] },
  pipelines: PipelineRow[],
): Promise<Map<number, ProjectRow>> {
  const ids = [...new Set(pipelines.map(({ project_id }) => project_id))]
  const readable = new Map<number, ProjectRow>()
  for (const project of await projectsById(database, ids)) {
    if (await mayRead(project)) readable.set(project.id, project)
  }
  return readable
}
