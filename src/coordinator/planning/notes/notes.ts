import type { User } from '../../access/caller.js'
import { listNotes, type NoteRow } from '../../hosting/note-store.js'
import { type Page, page, type Paging } from '../../http/page.js'
import { newDiscussionId } from '../system-notes/discussion-id.js'
import { createNote, type LockNoteable } from './note-changes.js'
import { type Noteable, noteFilterOf } from './noteable.js'
import { type NoteDeps, presentNotes } from './present-note.js'
import type { CreateNote, ListNotes } from './schema.js'

/** One page of the notes that the caller may see. */
export async function listedNotes(
  deps: NoteDeps,
  on: Noteable,
  { order_by = 'created_at', sort = 'desc', activity_filter }: ListNotes,
  paging: Paging,
): Promise<Page> {
  const filter = { ...noteFilterOf(on), activity: activity_filter }
  const order = { column: order_by, direction: sort }
  const { rows, total } = await listNotes(deps.database, on.owner, filter, paging, order)
  return page(await presentNotes(deps, on, rows), total)
}

/** Adds a comment that starts no thread. Throws as `createNote`. */
export async function addComment(
  deps: NoteDeps,
  lock: LockNoteable,
  user: User,
  { body, internal, confidential, created_at }: CreateNote,
): Promise<NoteRow> {
  return createNote(deps.database, lock, user, {
    body,
    internal: internal ?? confidential ?? false,
    createdAt: created_at,
    discussion_id: newDiscussionId(),
  })
}
