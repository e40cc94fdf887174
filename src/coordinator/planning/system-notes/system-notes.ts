import type { Transaction } from '../../database/transaction.js'
import { insertNote, type NewNoteRow, type NoteOwner } from '../../hosting/note-store.js'
import { newDiscussionId } from './discussion-id.js'

/** A change that is recorded among the notes of what was changed. */
export interface SystemNote {
  /** Kind of the change: `closed`. */
  action: string
  /** Text in Markdown, without the name of the user: `closed`. */
  body: string
  /** Further columns of the note. */
  columns?: Partial<NewNoteRow>
}

/** Adds notes to what a user has changed, in the order of the list. `projectId`: null for an epic. */
export async function addSystemNotes(
  tx: Transaction,
  on: { owner: NoteOwner; projectId: number | null; userId: number },
  notes: readonly SystemNote[],
): Promise<void> {
  const now = Date.now()
  for (const { action, body, columns } of notes) {
    await insertNote(tx, {
      project_id: on.projectId,
      [on.owner.column]: on.owner.id,
      discussion_id: newDiscussionId(),
      author_id: on.userId,
      body,
      system: true,
      action,
      ...columns,
      created_at: now,
      updated_at: now,
    })
  }
}
