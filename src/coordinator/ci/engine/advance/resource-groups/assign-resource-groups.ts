import { afterCommit, beforeCommit, type Transaction } from '../../../../database/transaction.js'
import { COMMIT_ORDER } from '../../commit-order.js'
import type { EngineDeps } from '../../engine-deps.js'
import { markPending } from '../../jobs/mark-pending.js'
import { tryLockPipeline } from '../../pipeline-store.js'
import { saveStatuses } from '../save-statuses.js'
import {
  findUnassignedGroups,
  findUpcomingJob,
  lockResourceGroups,
  type ResourceGroupRow,
  setHolder,
} from './store.js'

/*
 * A job with a resource group passes through these statuses:
 *
 *     created ──▶ waiting_for_resource ──▶ pending ──▶ running ──▶ ended
 *                                        └──── holds the resource ────┘
 *
 * Every transaction that changes jobs of a group checks the group at its end: an ended job releases the
 * resource, and the next job receives it. Jobs of many pipelines may share a group. A transaction locks its
 * pipelines first and the groups last, and takes no pipeline lock afterwards by waiting. If it cannot lock
 * the pipeline of the next job at once, the job keeps its granted resource and `startGrantedJobs` starts it.
 */

export type ResourceDeps = Pick<EngineDeps, 'dialect' | 'queue' | 'notifications'>

const touched = new WeakMap<Transaction, Set<number>>()

/** Reassigns the free resources of these groups at the end of `tx` (CI language, 12.8). */
export function assignResourcesBeforeCommit(
  deps: ResourceDeps,
  tx: Transaction,
  groupIds: Iterable<number>,
): void {
  const known = touched.get(tx)
  const ids = known ?? new Set<number>()
  for (const id of groupIds) ids.add(id)
  if (known || ids.size === 0) return
  touched.set(tx, ids)
  beforeCommit(tx, COMMIT_ORDER.resourceGroups, async () => {
    touched.delete(tx)
    await assignResourceGroups(deps, tx, [...ids])
  })
}

async function assignResourceGroups(deps: ResourceDeps, tx: Transaction, ids: number[]): Promise<void> {
  await lockResourceGroups(tx, deps.dialect, ids)
  for (const group of await findUnassignedGroups(tx, ids)) await assign(deps, tx, group)
}

async function assign(deps: ResourceDeps, tx: Transaction, group: ResourceGroupRow): Promise<void> {
  const next = await findUpcomingJob(tx, group)
  const holder = next?.status === 'waiting_for_resource' ? next : undefined
  if (group.job_id !== (holder?.id ?? null)) await setHolder(tx, group.id, holder?.id ?? null)
  if (holder) await start(deps, tx, holder.id, holder.pipeline_id)
}

async function start(deps: ResourceDeps, tx: Transaction, jobId: number, pipelineId: number): Promise<void> {
  if (await tryLockPipeline(tx, deps.dialect, pipelineId)) {
    await markPending(deps, tx, [jobId], 'waiting_for_resource')
    await saveStatuses(deps, tx, pipelineId)
  } else {
    afterCommit(tx, () => deps.notifications.emit('resourceFreed'))
  }
}
