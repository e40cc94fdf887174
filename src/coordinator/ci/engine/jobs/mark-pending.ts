import type { JobStatus } from '../../../database/tables/job-columns.js'
import type { Transaction } from '../../../database/transaction.js'
import type { EngineDeps } from '../engine-deps.js'
import { UnexpectedStatusError } from '../errors.js'
import { addBridgeTasks } from '../hierarchy/bridge-task-store.js'
import { moveToPending } from '../job-status-store.js'
import { findPendingJobs } from '../job-store.js'
import { findProject } from '../pipeline-store.js'

/**
 * Marks jobs of one pipeline, locked by `tx`, as pending and adds them to the queue. Trigger jobs need no
 * runner: their pipelines are created after `tx` has committed (CI language, 13.2).
 */
export async function markPending(
  deps: Pick<EngineDeps, 'queue' | 'notifications'>,
  tx: Transaction,
  ids: number[],
  from: JobStatus,
): Promise<void> {
  if (ids.length === 0) return
  if ((await moveToPending(tx, ids, from)) !== ids.length) throw new UnexpectedStatusError(ids, from)
  const jobs = await findPendingJobs(tx, ids)
  const bridges = jobs.filter(({ kind }) => kind === 'bridge')
  await addBridgeTasks(
    deps,
    tx,
    'create',
    bridges.map(({ id }) => id),
  )
  const builds = jobs.filter(({ kind }) => kind === 'build')
  const [first] = builds
  if (!first) return
  const project = await findProject(tx, first.project_id)
  await deps.queue.enqueue(tx, builds, project)
}
