import type { Selectable } from 'kysely'

import type { CommitCommentTable } from '../../../database/tables/commit-comments.js'
import type { Transaction } from '../../../database/transaction.js'
import { hooksOfProject } from '../hook-store.js'
import { storeEvents } from './outbox.js'

/** A comment on a commit. */
export interface NoteFacts {
  comment: Selectable<CommitCommentTable>
}

/** Emits a comment on a commit to the hooks of the project when `tx` commits (API, K3). */
export async function emitNoteEvent(tx: Transaction, facts: NoteFacts): Promise<void> {
  const projectId = facts.comment.project_id
  const hooks = (await hooksOfProject(tx, projectId)).filter(({ note_events }) => note_events)
  if (hooks.length === 0) return
  await storeEvents(tx, [{ projectId, trigger: 'note_events', kind: 'note', facts, hooks }])
}
