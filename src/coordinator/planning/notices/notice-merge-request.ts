import type { User } from '../../access/caller.js'
import type { Transaction } from '../../database/transaction.js'
import type { MergeRequestSnapshot } from '../../integrations/webhooks/outbox/emit-merge-request-event.js'
import { OPEN_STATES } from '../stores/merge-request-store.js'
import { finishTodosAbout, insertTodos } from '../stores/todo-store.js'
import { noticedMergeRequest } from './add-todos.js'
import { followText } from './follow-text.js'

/**
 * Adds and completes to-do items after a change of a merge request: for users who are newly assigned, asked for a
 * review or mentioned. What its description names gets a note. `before` is absent for a new one. Of one that is closed or merged, all items are done.
 */
export async function noticeMergeRequest(
  tx: Transaction,
  author: Pick<User, 'id'>,
  after: MergeRequestSnapshot,
  before?: MergeRequestSnapshot,
): Promise<void> {
  const target = noticedMergeRequest(after.mergeRequest)
  if (!isOpen(after)) {
    if (before && isOpen(before)) await finishTodosAbout(tx, target)
    return
  }
  const [were, are] = [peopleOf(before), peopleOf(after)]
  await finishTodosAbout(
    tx,
    target,
    were.filter((id) => !are.includes(id)),
  )
  const added = (ids: number[], known: number[] = []) => ids.filter((id) => !known.includes(id))
  const authorId = author.id
  const assigned = added(after.assignees, before?.assignees)
  await insertTodos(tx, target, { userIds: assigned, authorId, action: 'assigned' })
  const asked = added(after.reviewers, before?.reviewers)
  await insertTodos(tx, target, { userIds: asked, authorId, action: 'review_requested' })
  const texts = {
    before: before?.mergeRequest.description ?? null,
    after: after.mergeRequest.description,
  }
  if (texts.before !== texts.after) await followText(tx, target, author, texts)
}

function isOpen({ mergeRequest }: MergeRequestSnapshot): boolean {
  return OPEN_STATES.some((state) => state === mergeRequest.state)
}

function peopleOf(snapshot: MergeRequestSnapshot | undefined): number[] {
  return snapshot ? [...snapshot.assignees, ...snapshot.reviewers] : []
}
