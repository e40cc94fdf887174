import type { Selectable } from 'kysely'

import type { CommitComment, NoteTable } from '../../../database/tables/notes.js'
import type { SnippetTable } from '../../../database/tables/snippets.js'
import type { Transaction } from '../../../database/transaction.js'
import { recordOnTarget } from '../../activity-events/record-activity.js'
import { hooksOfProject } from '../hook-store.js'
import type { IssueSnapshot } from './emit-issue-event.js'
import type { MergeRequestSnapshot } from './emit-merge-request-event.js'
import { storeEvents } from './outbox.js'

/** A comment on a commit. */
interface CommitNoteFacts {
  comment: CommitComment
}

/** A comment on an issue, a merge request or a snippet. */
export interface PlanningNoteFacts {
  note: Selectable<NoteTable>
  on:
    | { issue: IssueSnapshot }
    | { mergeRequest: MergeRequestSnapshot }
    | { snippet: Selectable<SnippetTable> }
  action: 'create' | 'update'
}

export type NoteFacts = CommitNoteFacts | PlanningNoteFacts

/**
 * Emits a comment to the hooks of the project when `tx` commits (API, K3): to those for confidential comments if
 * it is internal or on a confidential issue. Records a new one as activity.
 */
export async function emitNoteEvent(tx: Transaction, facts: NoteFacts): Promise<void> {
  const projectId = 'comment' in facts ? facts.comment.project_id : facts.note.project_id
  if (projectId === null) return
  await recordComment(tx, projectId, facts)
  const trigger = isConfidential(facts) ? 'confidential_note_events' : 'note_events'
  const hooks = (await hooksOfProject(tx, projectId)).filter((hook) => hook[trigger])
  if (hooks.length === 0) return
  await storeEvents(tx, [{ projectId, trigger, kind: 'note', facts, hooks }])
}

async function recordComment(tx: Transaction, projectId: number, facts: NoteFacts): Promise<void> {
  if ('note' in facts && facts.action !== 'create') return
  const { id, author_id } = 'comment' in facts ? facts.comment : facts.note
  await recordOnTarget(tx, 'commented', { projectId, userId: author_id, target: { note_id: id } })
}

export function isConfidential(facts: NoteFacts): boolean {
  if ('comment' in facts) return false
  return facts.note.internal || isConfidentialOn(facts.on)
}

/** Whether an object with notes is a confidential issue. */
export function isConfidentialOn(on: PlanningNoteFacts['on']): boolean {
  return 'issue' in on && on.issue.issue.confidential
}
