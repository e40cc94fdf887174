import { matchesRefPattern } from '../../../../git/ref-pattern.js'
import type { Transaction } from '../../../database/transaction.js'
import { hooksOfStatusChecks, type StatusCheckHook } from '../hook-store.js'
import { type NewEvent, storeEvents } from './outbox.js'

/** A change of a merge request, as `emitMergeRequestEvent` takes it. */
interface Change {
  after: { mergeRequest: { project_id: number; target_branch: string } }
}

/** Emits a change of a merge request to the services of the status checks that are for its target branch. */
export async function emitToStatusChecks(tx: Transaction, facts: Change): Promise<void> {
  const { project_id, target_branch } = facts.after.mergeRequest
  const hooks = await hooksOfStatusChecks(tx, project_id)
  if (hooks.length === 0) return
  const wanted = new Map(
    hooks.filter((hook) => isFor(hook, target_branch)).map((hook) => [hook.status_check_id, hook]),
  )
  await storeEvents(
    tx,
    [...wanted.values()].map((hook) => eventOf(project_id, facts, hook)),
  )
}

/** Each service receives a payload of its own, which names the check. */
export function eventOf(
  projectId: number,
  facts: Change,
  { id, status_check_id }: { id: number; status_check_id: number },
): NewEvent {
  return {
    projectId,
    trigger: 'merge_requests_events',
    kind: 'merge_request',
    facts: { ...facts, statusCheckId: status_check_id },
    hooks: [{ id }],
  }
}

function isFor({ branch }: StatusCheckHook, target: string): boolean {
  return branch === null || matchesRefPattern(branch, target)
}
