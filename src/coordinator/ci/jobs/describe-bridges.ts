import type { Database } from '../../database/connect.js'
import type { JobRow, PipelineRow, ProjectRow } from '../../database/tables/pipeline-rows.js'
import { type PipelineBrief, presentPipelineBrief } from '../../http/presenters/present-pipeline.js'
import { describeJobs, type DescribeJobsDeps } from './describe-jobs.js'
import type { Bridge, Job } from './schema.js'
import { followedPipelines, projectsById } from './store.js'

export interface DescribeBridgesDeps extends DescribeJobsDeps {
  /** Whether the caller may see the pipelines of a project. */
  mayRead: (project: ProjectRow) => Promise<boolean>
  /** Whether the caller may see the code of a project. */
  mayReadCode: (project: ProjectRow) => Promise<boolean>
}

interface Downstream {
  pipeline: PipelineRow
  project: ProjectRow
}

/**
 * Returns public records of trigger jobs, in the same order. A record omits a downstream pipeline that the
 * caller may not see.
 */
export async function describeBridges(deps: DescribeBridgesDeps, bridges: JobRow[]): Promise<Bridge[]> {
  const records = await describeJobs(deps, bridges)
  const downstream = await downstreamOf(deps, bridges)
  const readable = await projectsWhere(deps.mayRead, downstream)
  const open = await projectsWhere(deps.mayReadCode, downstream)
  const byId = new Map(bridges.map((bridge) => [bridge.id, bridge]))
  return records.map((record) => {
    const found = downstream.get(record.id)
    const bridge = byId.get(record.id)
    return {
      ...withoutRunner(record),
      downstream_errors: bridge ? errorsOf(bridge, found, open) : [],
      downstream_pipeline: found && readable.has(found.project.id) ? brief(deps, found) : null,
    }
  })
}

function withoutRunner(record: Job) {
  const { artifacts_file, artifacts, artifacts_expire_at, runner, runner_manager, tag_list, ...rest } = record
  return rest
}

/**
 * The job does not store errors in a file of another project. Only callers who may read that file see them.
 */
function errorsOf(bridge: JobRow, found: Downstream | undefined, open: ReadonlySet<number>): string[] {
  const { downstream_errors: kept, project_id } = bridge
  if (kept === null) return []
  const isForeign = found !== undefined && found.project.id !== project_id
  const errors = isForeign && open.has(found.project.id) ? found.pipeline.yaml_errors : null
  return (errors ?? kept).split('\n')
}

function brief({ externalUrl }: DescribeBridgesDeps, { pipeline, project }: Downstream): PipelineBrief {
  return presentPipelineBrief(pipeline, `${externalUrl}/${project.full_path}`)
}

async function downstreamOf(
  { database }: { database: Database },
  bridges: JobRow[],
): Promise<Map<number, Downstream>> {
  const pipelines = await followedPipelines(
    database,
    bridges.map(({ id }) => id),
  )
  const ids = new Set([...pipelines.values()].map(({ project_id }) => project_id))
  const projects = new Map((await projectsById(database, [...ids])).map((project) => [project.id, project]))
  const found = new Map<number, Downstream>()
  for (const [jobId, pipeline] of pipelines) {
    const project = projects.get(pipeline.project_id)
    if (project) found.set(jobId, { pipeline, project })
  }
  return found
}

/** Ids of the projects that pass the check. Each project is checked once. */
async function projectsWhere(
  may: (project: ProjectRow) => Promise<boolean>,
  downstream: ReadonlyMap<number, Downstream>,
): Promise<Set<number>> {
  const projects = new Map([...downstream.values()].map(({ project }) => [project.id, project]))
  const ids = new Set<number>()
  for (const project of projects.values()) if (await may(project)) ids.add(project.id)
  return ids
}
