import { REPORTER } from '../../../access/access-levels.js'
import type { Database } from '../../../database/connect.js'
import type { PipelineRow } from '../../../database/tables/pipeline-rows.js'
import { inTransaction } from '../../../database/transaction.js'
import type { EngineDeps } from '../engine-deps.js'
import { addBridgeTasks, type BridgeTask, claimBridgeTask } from '../hierarchy/bridge-task-store.js'
import { storeMirrored } from '../hierarchy/downstream-store.js'
import { type StoredJob } from '../jobs/stored-job.js'
import { pipelinesOfRef } from '../pipeline-store.js'
import { type Refusal, refused } from './refusal.js'

/**
 * Makes a trigger job mirror the latest pipeline on another project's default branch (CI language, 13.4).
 * Returns the reason if it may not; otherwise undefined.
 */
export async function mirrorPipeline(
  deps: EngineDeps,
  task: BridgeTask,
  { job, pipeline, user }: StoredJob,
  path: string,
): Promise<Refusal | undefined> {
  const project = await deps.outside.findProject(path)
  if (!project) return refused('upstream_bridge_project_not_found', `Project ${path} does not exist`)
  if ((await deps.outside.levelOf(user, project)) < REPORTER) {
    const errors = `You may not see the pipelines of the project ${path}`
    return refused('insufficient_upstream_permissions', errors)
  }
  const branch = project.default_branch
  const latest =
    branch === null
      ? undefined
      : await latestPipeline(deps.database, { projectId: project.id, branch, except: pipeline.id })
  if (!latest) {
    const errors = `The default branch of the project ${path} has no pipeline`
    return refused('upstream_bridge_project_not_found', errors)
  }
  await inTransaction(deps.database, async (tx) => {
    if (!(await claimBridgeTask(tx, task))) return
    await storeMirrored(tx, job.id, latest.id)
    await addBridgeTasks(deps, tx, 'follow', [job.id])
  })
  return undefined
}

function latestPipeline(
  database: Database,
  { projectId, branch, except }: { projectId: number; branch: string; except: number },
): Promise<PipelineRow | undefined> {
  return pipelinesOfRef(database, projectId, { ref: branch, tag: false })
    .selectAll()
    .where('id', '!=', except)
    .executeTakeFirst()
}
