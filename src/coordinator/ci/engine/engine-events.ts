import type { Selectable } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { DeploymentTable } from '../../database/tables/environments.js'
import type { JobStatus } from '../../database/tables/job-columns.js'
import type { CompositeStatus } from '../../database/tables/pipelines.js'
import { beforeCommit, storeOf, type Transaction } from '../../database/transaction.js'
import { COMMIT_ORDER } from './commit-order.js'

/** The changes of one engine transaction, in order. */
export interface EngineEvents {
  /** Jobs of an entry belong to one project and all changed to this status. */
  jobs: { ids: readonly number[]; status: JobStatus }[]
  pipelines: { id: number; status: CompositeStatus }[]
  deployments: Selectable<DeploymentTable>[]
  /** Records that changed in something other than their status: not for webhooks. */
  others: { jobs: number[]; pipelines: number[] }
  deletedPipelines: { id: number; project_id: number }[]
}

/** Runs in the transaction of the changes, so its writes are committed or rolled back with them. */
export type EngineListener = (tx: Transaction, events: EngineEvents) => Promise<void>

const listeners = new WeakMap<Database, EngineListener>()
const eventsOf = new WeakMap<Transaction, EngineEvents>()

/** Calls `listener` once at the end of each transaction on this store that emitted engine events. */
export function onEngineEvents(database: Database, listener: EngineListener): void {
  listeners.set(database, listener)
}

/*
 * Events are collected during a transaction and passed on at its end. One query then checks whether any
 * webhook of the projects subscribes to them; usually none does.
 */

/** Records that jobs of one project changed to this status. */
export function emitJobs(tx: Transaction, ids: readonly number[], status: JobStatus): void {
  if (ids.length > 0) eventsIn(tx)?.jobs.push({ ids, status })
}

export function emitPipeline(tx: Transaction, id: number, status: CompositeStatus): void {
  eventsIn(tx)?.pipelines.push({ id, status })
}

export function emitDeployment(tx: Transaction, deployment: Selectable<DeploymentTable>): void {
  eventsIn(tx)?.deployments.push(deployment)
}

/** Records that a job changed in something other than its status. */
export function emitJobChange(tx: Transaction, id: number): void {
  eventsIn(tx)?.others.jobs.push(id)
}

/** Records that a pipeline, or an external status of it, changed in something other than its status. */
export function emitPipelineChange(tx: Transaction, id: number): void {
  eventsIn(tx)?.others.pipelines.push(id)
}

export function emitDeletedPipeline(tx: Transaction, pipeline: { id: number; project_id: number }): void {
  eventsIn(tx)?.deletedPipelines.push(pipeline)
}

/** Undefined if there is no listener. */
function eventsIn(tx: Transaction): EngineEvents | undefined {
  const known = eventsOf.get(tx)
  const listener = listeners.get(storeOf(tx))
  if (known || !listener) return known
  const events: EngineEvents = {
    jobs: [],
    pipelines: [],
    deployments: [],
    others: { jobs: [], pipelines: [] },
    deletedPipelines: [],
  }
  eventsOf.set(tx, events)
  beforeCommit(tx, COMMIT_ORDER.events, async () => {
    eventsOf.delete(tx)
    await listener(tx, events)
  })
  return events
}
