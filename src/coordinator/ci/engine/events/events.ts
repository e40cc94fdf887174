import type { JobStatus } from '../../../database/tables/job-columns.js'
import type { CompositeStatus } from '../../../database/tables/pipelines.js'
import { beforeCommit, type Transaction } from '../../../database/transaction.js'
import {
  type Changes,
  storeAnnouncements,
} from '../../../integrations/webhooks/outbox/emit-pipeline-events.js'
import type { DeploymentRow } from '../deployments/deployment-store.js'
import { LAST_TURNS } from '../last-turns.js'

const changesOf = new WeakMap<Transaction, Changes>()

/*
 * What hooks hear of the engine is gathered while a transaction changes things and written when it comes to its end: by
 * then one question tells whether any hook of the project cares, and usually none does.
 */

/** Jobs of one project have come into this status. */
export function announceJobs(tx: Transaction, ids: readonly number[], status: JobStatus): void {
  if (ids.length > 0) changesIn(tx).jobs.push({ ids, status })
}

export function announcePipeline(tx: Transaction, id: number, status: CompositeStatus): void {
  changesIn(tx).pipelines.push({ id, status })
}

export function announceDeployment(tx: Transaction, deployment: DeploymentRow): void {
  changesIn(tx).deployments.push(deployment)
}

function changesIn(tx: Transaction): Changes {
  const known = changesOf.get(tx)
  if (known) return known
  const fresh: Changes = { jobs: [], pipelines: [], deployments: [] }
  changesOf.set(tx, fresh)
  beforeCommit(tx, LAST_TURNS.hooks, async () => {
    changesOf.delete(tx)
    await storeAnnouncements(tx, fresh)
  })
  return fresh
}
