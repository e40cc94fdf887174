import type { Project, User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { deleteDependents } from '../../database/delete-in-steps.js'
import type { PipelineRow } from '../../database/tables/pipeline-rows.js'
import { refusedPipeline } from '../../http/refused-pipeline.js'
import { createPipelineOnRef, type PipelineOnRef } from '../engine/create/create-on-ref.js'
import type { EngineDeps } from '../engine/engine-deps.js'
import { isWithRunner } from '../engine/job-status.js'
import type { Artifacts } from '../storage/artifacts/artifacts.js'
import { deleteFilesOf } from '../storage/deleted-jobs.js'
import type { Traces } from '../storage/traces.js'
import {
  areAtRest,
  childrenOf,
  deletePipelineRows,
  deleteRowsAtRest,
  endedJobsOf,
  type JobOfPipeline,
} from './store.js'

/** The caller and the access level in the project. */
export interface Actor {
  user: User
  accessLevel: number
}

/**
 * Creates a pipeline for the head of a branch or tag. Throws 429 above the limit of pipelines per minute, and
 * 400 with the reason if no pipeline is created.
 */
export async function startPipeline(
  engine: EngineDeps,
  project: Project,
  { user }: Actor,
  wanted: Pick<PipelineOnRef, 'source' | 'ref' | 'variables' | 'inputs'>,
): Promise<PipelineRow> {
  const creation = await createPipelineOnRef(engine, { project, user, ...wanted })
  if (creation.kind === 'refused') throw refusedPipeline(creation)
  return creation.pipeline
}

export interface PipelineDeletionDeps {
  engine: EngineDeps
  artifacts: Artifacts
  traces: Traces
}

/**
 * Deletes the pipeline and its child pipelines with all files of their jobs. Cancels jobs that still run (CI
 * language, 12.5).
 */
export async function deletePipeline(deps: PipelineDeletionDeps, pipeline: PipelineRow): Promise<void> {
  const { database } = deps.engine
  const hierarchy = await withDescendants(database, pipeline)
  const ids = hierarchy.map(({ id }) => id)
  if (!(await deleteHierarchyAtRest(deps, hierarchy)))
    await followDeletion(deps, hierarchy, await deletePipelineRows(database, ids))
  // A child pipeline that was created during the first search.
  for (const late of await childrenOf(database, ids)) await deletePipeline(deps, late)
}

/**
 * Deletes a pipeline and its child pipelines like `deletePipeline`, if all of them are at rest: one after the other, the
 * deepest ones first, and of each what belongs to its jobs before it. False if one is not at rest, or another process has
 * deleted it.
 */
export async function deleteHierarchyAtRest(
  deps: PipelineDeletionDeps,
  hierarchy: PipelineRow[],
): Promise<boolean> {
  const { database } = deps.engine
  if (
    !(await areAtRest(
      database,
      hierarchy.map(({ id }) => id),
    ))
  )
    return false
  for (const pipeline of hierarchy.toReversed()) {
    await deleteDependents(database, 'job', await endedJobsOf(database, pipeline.id))
    const jobs = await deleteRowsAtRest(database, [pipeline.id])
    if (!jobs) return false
    await followDeletion(deps, [pipeline], jobs)
  }
  return true
}

/** What follows the commit of a deletion. */
async function followDeletion(
  { engine, artifacts, traces }: PipelineDeletionDeps,
  hierarchy: PipelineRow[],
  jobs: JobOfPipeline[],
): Promise<void> {
  // One of its jobs may have held a resource.
  engine.notifications.emit('resourceFreed')
  for (const { id, status } of jobs)
    if (isWithRunner(status)) engine.notifications.emit('runnerConcerned', id)
  await deleteFilesOf({ ...engine, artifacts, traces }, jobs)
  for (const deleted of hierarchy) await releaseCommit(engine, deleted)
}

/** Deletes every pipeline that the user has started. */
export async function deletePipelinesOf(
  deps: PipelineDeletionDeps,
  userId: number,
  signal: AbortSignal,
): Promise<void> {
  const { database } = deps.engine
  for (;;) {
    signal.throwIfAborted()
    const pipeline = await database
      .selectFrom('pipeline')
      .selectAll()
      .where('user_id', '=', userId)
      .executeTakeFirst()
    if (!pipeline) return
    await deletePipeline(deps, pipeline)
  }
}

/** The pipeline and its child pipelines, at all depths. */
export async function withDescendants(database: Database, pipeline: PipelineRow): Promise<PipelineRow[]> {
  const hierarchy = [pipeline]
  for (let above = hierarchy; above.length > 0;) {
    const children = await childrenOf(
      database,
      above.map(({ id }) => id),
    )
    hierarchy.push(...children)
    above = children
  }
  return hierarchy
}

/** `runHousekeeping` repairs failures later. */
async function releaseCommit({ repositories, logger }: EngineDeps, pipeline: PipelineRow): Promise<void> {
  try {
    await repositories.deletePipelineRefs(pipeline.project_id, [pipeline.id])
  } catch (error) {
    logger.warn(
      { err: error, pipeline: pipeline.id },
      'Failed to delete the ref of a deleted pipeline; a later run retries',
    )
  }
}
