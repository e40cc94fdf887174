import type { Selectable } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { DeploymentTable } from '../../database/tables/environments.js'
import type { JobStatus } from '../../database/tables/job-columns.js'
import type { CompositeStatus } from '../../database/tables/pipelines.js'
import { beforeCommit, storeOf, type Transaction } from '../../database/transaction.js'
import { COMMIT_ORDER } from './commit-order.js'

/** What one transaction of the engine changed, in the order of the changes. */
export interface EngineEvents {
  /** The jobs of an entry belong to one project, and came into the status. */
  jobs: { ids: readonly number[]; status: JobStatus }[]
  pipelines: { id: number; status: CompositeStatus }[]
  deployments: Selectable<DeploymentTable>[]
}

/** Runs in the transaction that changed something: what it writes is committed with the change, or not at all. */
export type EngineListener = (tx: Transaction, events: EngineEvents) => Promise<void>

const listeners = new WeakMap<Database, EngineListener>()
const eventsOf = new WeakMap<Transaction, EngineEvents>()

/** Calls `listener` once at the end of each transaction on this store in which the engine emitted events. */
export function onEngineEvents(database: Database, listener: EngineListener): void {
  listeners.set(database, listener)
}

/*
 * Events are collected while a transaction changes things, and passed on at its end: by then one query tells whether any
 * webhook of the projects listens, and usually none does.
 */

/** Jobs of one project have come into this status. */
export function emitJobs(tx: Transaction, ids: readonly number[], status: JobStatus): void {
  if (ids.length > 0) eventsIn(tx)?.jobs.push({ ids, status })
}

export function emitPipeline(tx: Transaction, id: number, status: CompositeStatus): void {
  eventsIn(tx)?.pipelines.push({ id, status })
}

export function emitDeployment(tx: Transaction, deployment: Selectable<DeploymentTable>): void {
  eventsIn(tx)?.deployments.push(deployment)
}

/** Undefined when nobody listens. */
function eventsIn(tx: Transaction): EngineEvents | undefined {
  const known = eventsOf.get(tx)
  const listener = listeners.get(storeOf(tx))
  if (known || !listener) return known
  const events: EngineEvents = { jobs: [], pipelines: [], deployments: [] }
  eventsOf.set(tx, events)
  beforeCommit(tx, COMMIT_ORDER.events, async () => {
    eventsOf.delete(tx)
    await listener(tx, events)
  })
  return events
}
