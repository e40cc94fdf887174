import { pause } from '../../../../lib/pause.js'
import type { PipelineRow } from '../../../database/tables/pipeline-rows.js'
import { deleteHierarchyAtRest, type PipelineDeletionDeps, withDescendants } from '../pipelines.js'
import {
  findDuePipelines,
  lastDueId,
  type LimitedProject,
  measureVolume,
  projectsWithLimits,
  type RetentionLimits,
} from './due-pipelines.js'
import type { OnRetired } from './retired.js'

export interface RetentionDeps extends PipelineDeletionDeps {
  /** False while another coordinator has this task; asked before each batch. */
  mayGoOn: () => Promise<boolean>
  onRetired: OnRetired
}

interface Pace extends RetentionLimits {
  jobsPerSecond: number
}

/** Pipelines per read. */
const BATCH = 20
const PROJECTS = 500

/**
 * Periodic task: deletes the pipelines that a project has beyond its limits, one hierarchy per transaction, and pauses
 * after each. Only the rows record the remaining work, so that the next run continues after a kill.
 */
export async function deleteOldPipelines(
  deps: RetentionDeps,
  pace: Pace,
  signal: AbortSignal,
  now = Date.now(),
): Promise<void> {
  for (let after = 0; ;) {
    if (signal.aborted || !(await deps.mayGoOn())) return
    const projects = await projectsWithLimits(deps.engine.database, pace, { after, limit: PROJECTS })
    for (const project of projects) if (!(await deleteInProject(deps, pace, { project, now, signal }))) return
    const last = projects.at(-1)
    if (last === undefined) return
    after = last.id
  }
}

/** False if the task has to end. */
async function deleteInProject(
  deps: RetentionDeps,
  pace: Pace,
  { project, now, signal }: { project: LimitedProject; now: number; signal: AbortSignal },
): Promise<boolean> {
  const { database } = deps.engine
  const last = await lastDueId(database, project, pace, now)
  if (last === null) return !signal.aborted
  for (let after = 0; ;) {
    if (!(await deps.mayGoOn())) return false
    const due = await findDuePipelines(database, project.id, { after, last, limit: BATCH })
    for (const pipeline of due) {
      if (signal.aborted) return false
      const jobs = await deleteOne(deps, pipeline)
      // A pipeline without jobs costs a transaction too.
      await pause(((jobs + 1) / pace.jobsPerSecond) * 1000, signal)
    }
    const read = due.at(-1)
    if (read === undefined) return true
    after = read.id
  }
}

/** Returns the number of deleted jobs. */
async function deleteOne(deps: RetentionDeps, pipeline: PipelineRow): Promise<number> {
  const { database } = deps.engine
  const hierarchy = await withDescendants(database, pipeline)
  const volume = await measureVolume(
    database,
    hierarchy.map(({ id }) => id),
  )
  if (!(await deleteHierarchyAtRest(deps, hierarchy))) return 0
  const { project_id: projectId } = pipeline
  const { jobs, logBytes, artifacts, artifactBytes } = volume
  deps.onRetired({ kind: 'pipelines', projectId, number: hierarchy.length })
  deps.onRetired({ kind: 'jobs', projectId, number: jobs, bytes: logBytes })
  deps.onRetired({ kind: 'artifacts', projectId, number: artifacts, bytes: artifactBytes })
  return jobs
}
