import type { User } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { apiError, notFound } from '../../../http/errors.js'
import { findHookOfStatusCheck } from '../../../integrations/webhooks/hook-store.js'
import { eventOf } from '../../../integrations/webhooks/outbox/emit-to-status-checks.js'
import { storeEvents } from '../../../integrations/webhooks/outbox/outbox.js'
import { setHookOfStatusCheck } from '../../../integrations/webhooks/status-check-hooks.js'
import type { CallerInProject } from '../../access/issue-access.js'
import { lockTheMergeRequest } from '../../access/merge-request-access.js'
import { mergeRequestSnapshot } from '../../merge-request-changes.js'
import type { MergeRequestRow } from '../../stores/merge-request-store.js'
import { requestTask } from '../../stores/merge-request-task-store.js'
import {
  putResponse,
  type StatusCheckResponseRow,
  statusesOfChecks,
  type StatusOfCheck,
} from '../../stores/status-check-store.js'
import type { StatusCheckDeps } from './checks.js'
import type { RespondToCheck } from './schema.js'

/** What a service has said, with what it is about. */
export interface Responded extends StatusOfCheck {
  response: StatusCheckResponseRow
  row: MergeRequestRow
}

/**
 * Records what the service of a check says about the head of a merge request. Throws 404 for a check that is not for it,
 * and 409 if the head is another one.
 */
export function respondToCheck(
  database: Database,
  caller: CallerInProject,
  { merge_request_iid: iid, external_status_check_id: id, sha, status = 'passed' }: RespondToCheck,
): Promise<Responded> {
  return inTransaction(database, async (tx) => {
    const row = await lockTheMergeRequest(tx, caller, iid)
    const { check } = await requireCheckOf(tx, row, id)
    if (sha !== row.head_sha) throw apiError('sha_mismatch', { head: row.head_sha ?? '' })
    const response = await putResponse(tx, { merge_request_id: row.id, status_check_id: id, sha, status })
    if (status === 'passed') await afterPassed(tx, row)
    return { check, status, response, row }
  })
}

/** A merge may have waited for it. */
async function afterPassed(tx: Transaction, row: MergeRequestRow): Promise<void> {
  if (row.state !== 'opened' || !row.merge_when_pipeline_succeeds) return
  await requestTask(tx, row, 'merge', row.merge_user_id ?? row.author_id)
}

/**
 * Asks the service of a check that has failed once more: it receives the merge request as it is now. Throws 404 for a
 * check that is not for it, and 422 if it has not failed.
 */
export function retryCheck(
  { database, secrets }: Pick<StatusCheckDeps, 'database' | 'secrets'>,
  caller: CallerInProject & { user: User },
  { iid, id }: { iid: number; id: number },
): Promise<void> {
  return inTransaction(database, async (tx) => {
    const row = await lockTheMergeRequest(tx, caller, iid)
    const { check, status } = await requireCheckOf(tx, row, id)
    if (status !== 'failed' || row.head_sha === null) throw apiError('status_check_not_failed')
    const values = { merge_request_id: row.id, status_check_id: id, sha: row.head_sha }
    await putResponse(tx, { ...values, status: 'pending' })
    await setHookOfStatusCheck(tx, secrets, check, {})
    const hook = await findHookOfStatusCheck(tx, id)
    if (!hook) return
    const now = await mergeRequestSnapshot(tx, row)
    const facts = { before: now, after: now, action: 'update', userId: caller.user.id } as const
    await storeEvents(tx, [eventOf(row.project_id, facts, { id: hook.id, status_check_id: id })])
  })
}

async function requireCheckOf(tx: Transaction, row: MergeRequestRow, id: number): Promise<StatusOfCheck> {
  const statuses = (await statusesOfChecks(tx, [row])).get(row.id) ?? []
  const found = statuses.find(({ check }) => check.id === id)
  if (!found) throw notFound()
  return found
}
