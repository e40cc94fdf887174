import { pause } from '../../../../lib/pause.js'
import type { Database } from '../../../database/connect.js'
import type { PipelineRow } from '../../../database/tables/pipeline-rows.js'
import { deleteHierarchyAtRest, type DeletionDeps, withDescendants } from '../pipelines.js'
import { findDuePipelines, lastDueId, measureVolume, type RetentionLimits } from './due-pipelines.js'

export type RetiredKind = 'pipelines' | 'jobs' | 'logs' | 'artifacts' | 'activity_events'

/** Told after the deletion. */
export type OnRetired = (kind: RetiredKind, number: number, bytes?: number) => void

export interface RetentionDeps extends DeletionDeps {
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
 * after each. Nothing but the rows says what is left to do, so that the next run goes on after a kill.
 */
export async function deleteOldPipelines(
  deps: RetentionDeps,
  pace: Pace,
  signal: AbortSignal,
  now = Date.now(),
): Promise<void> {
  if (pace.pipelineDays === 0 && pace.pipelineCount === 0) return
  for (let after = 0; ;) {
    if (signal.aborted || !(await deps.mayGoOn())) return
    const ids = await projectsAfter(deps.engine.database, after)
    for (const id of ids) if (!(await deleteInProject(deps, pace, { id, now, signal }))) return
    const last = ids.at(-1)
    if (last === undefined) return
    after = last
  }
}

/** False if the task has to end. */
async function deleteInProject(
  deps: RetentionDeps,
  pace: Pace,
  { id, now, signal }: { id: number; now: number; signal: AbortSignal },
): Promise<boolean> {
  const { database } = deps.engine
  const last = await lastDueId(database, id, pace, now)
  if (last === null) return !signal.aborted
  for (let after = 0; ;) {
    if (!(await deps.mayGoOn())) return false
    const due = await findDuePipelines(database, id, { after, last, limit: BATCH })
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
  deps.onRetired('pipelines', hierarchy.length)
  deps.onRetired('jobs', volume.jobs, volume.logBytes)
  deps.onRetired('artifacts', volume.artifacts, volume.artifactBytes)
  return volume.jobs
}

async function projectsAfter(database: Database, after: number): Promise<number[]> {
  const rows = await database
    .selectFrom('project')
    .select('id')
    .where('id', '>', after)
    .orderBy('id')
    .limit(PROJECTS)
    .execute()
  return rows.map(({ id }) => id)
}
