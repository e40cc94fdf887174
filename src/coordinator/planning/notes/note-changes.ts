import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import {
  deleteNoteRow,
  findNote,
  insertNote,
  type NewNoteRow,
  type NoteRow,
  updateNote,
} from '../../hosting/note-store.js'
import { apiError, forbidden, notFound } from '../../http/errors.js'
import { commitCommentOf } from '../../integrations/webhooks/outbox/commit-comment.js'
import { emitNoteEvent } from '../../integrations/webhooks/outbox/emit-note-event.js'
import { hookSubject } from '../hook-subject.js'
import { noticedIssue, noticedMergeRequest } from '../notices/add-todos.js'
import { followText } from '../notices/follow-text.js'
import { noticeCommentByMail } from '../notices/mail-notices.js'
import { updateIssueRow } from '../stores/issue-store.js'
import { updateMergeRequestRow } from '../stores/merge-request-store.js'
import { finishTodosAbout } from '../stores/todo-store.js'
import { type NewSuggestion, setSuggestions } from '../suggestions/suggestion-store.js'
import { type Noteable, noteFilterOf } from './noteable.js'

/** Finds what has the notes, locks it until the transaction ends, and says what the caller may do. */
export type LockNoteable = (tx: Transaction) => Promise<Noteable>

export type NewNote = Pick<NewNoteRow, 'body' | 'discussion_id'> &
  Partial<
    Pick<NewNoteRow, 'type' | 'position' | 'original_position' | 'head_sha' | 'line_code' | 'internal'>
  > & {
    suggestions?: NewSuggestion[]
    /** ISO 8601; by default now. */
    createdAt?: string | undefined
    /** Whether the caller stores the notice of its mail, together with those of other notes. */
    mailedLater?: boolean
  }

/**
 * Adds a comment. Throws 400 for an empty text, and 403 if the caller may not comment, may not write internal
 * comments, or may not set the time.
 */
export function createNote(
  database: Database,
  lock: LockNoteable,
  user: User,
  note: NewNote,
): Promise<NoteRow> {
  return inTransaction(database, async (tx) => addNote(tx, await lock(tx), user, note))
}

/** As `createNote`, in a transaction that has locked what gets the comment. */
export async function addNote(
  tx: Transaction,
  on: Noteable,
  user: User,
  { createdAt, internal = false, suggestions = [], mailedLater = false, ...values }: NewNote,
): Promise<NoteRow> {
  const { rights, owner } = on
  if (!rights.comment || (internal && !rights.internal)) throw forbidden()
  if (createdAt !== undefined && !rights.backdate) throw forbidden()
  checkBody(values.body)
  const time = createdAt === undefined ? Date.now() : Date.parse(createdAt)
  const row = await insertNote(tx, {
    ...values,
    internal,
    project_id: on.type === 'Epic' ? null : on.project.id,
    [owner.column]: owner.id,
    author_id: user.id,
    created_at: time,
    updated_at: time,
  })
  if (suggestions.length > 0) await setSuggestions(tx, row.id, suggestions)
  await touch(tx, on, time)
  await notice(tx, on, user, { after: row })
  if (!mailedLater) await noticeByMail(tx, on, row)
  await emit(tx, on, row, 'create')
  return row
}

/**
 * Changes the text of a comment. Throws 404 for an unknown one, 403 for that of another user unless the caller
 * moderates, and 400 for an empty text. `suggestions`: those of the new text of a comment on a line.
 */
export function editNote(
  database: Database,
  lock: LockNoteable,
  user: User,
  id: number,
  body: string,
  suggestions?: NewSuggestion[],
): Promise<NoteRow> {
  return inTransaction(database, async (tx) => {
    const on = await lock(tx)
    const before = await requireNote(tx, on, id)
    checkOwn(on, before, user)
    checkBody(body)
    const now = Date.now()
    const row = await updateNote(tx, id, { body, updated_at: now, last_edited_at: now })
    if (!row) throw notFound()
    if (suggestions) await setSuggestions(tx, id, suggestions)
    if (before.body !== body) {
      await notice(tx, on, user, { before, after: row })
      await emit(tx, on, row, 'update')
    }
    return row
  })
}

/** Throws 404 for an unknown comment, and 403 for that of another user unless the caller moderates. */
export function deleteNote(database: Database, lock: LockNoteable, user: User, id: number): Promise<void> {
  return inTransaction(database, async (tx) => {
    const on = await lock(tx)
    checkOwn(on, await requireNote(tx, on, id), user)
    await deleteNoteRow(tx, id)
  })
}

/** Throws 404 for an unknown note, and for one that is hidden from the caller. */
export async function requireNote(database: Database, on: Noteable, id: number): Promise<NoteRow> {
  const row = await findNote(database, on.owner, id, noteFilterOf(on))
  if (!row) throw notFound()
  return row
}

function checkOwn({ rights }: Noteable, { author_id, system }: NoteRow, user: User): void {
  if (system || !(rights.moderate || (rights.comment && author_id === user.id))) throw forbidden()
}

/** Clients parse this text, in which the messages have the form of a Ruby hash (API, G1). */
function checkBody(body: string): void {
  if (body.trim() === '') throw apiError('note_blank')
}

/** Records whom and what a comment names. An author has dealt with their own items. */
async function notice(
  tx: Transaction,
  on: Noteable,
  user: User,
  { before, after }: { before?: NoteRow; after: NoteRow },
): Promise<void> {
  if (on.type !== 'Issue' && on.type !== 'MergeRequest') return
  const target = on.type === 'Issue' ? noticedIssue(on.row) : noticedMergeRequest(on.row)
  if (!before) await finishTodosAbout(tx, target, [user.id])
  // Not everybody who sees the target sees an internal comment.
  if (after.internal) return
  await followText(tx, target, user, { before: before?.body ?? null, after: after.body })
}

/** Records that something happened to what has the note. */
async function touch(tx: Transaction, on: Noteable, time: number): Promise<void> {
  if (on.type !== 'Issue' && on.type !== 'MergeRequest') return
  const updated_at = Math.max(on.row.updated_at, time)
  if (on.type === 'Issue') await updateIssueRow(tx, on.row, { updated_at })
  else await updateMergeRequestRow(tx, on.row, { updated_at })
}

async function noticeByMail(tx: Transaction, on: Noteable, note: NoteRow): Promise<void> {
  if (on.type !== 'Epic' && on.type !== 'Snippet') await noticeCommentByMail(tx, note)
}

async function emit(
  tx: Transaction,
  on: Noteable,
  note: NoteRow,
  action: 'create' | 'update',
): Promise<void> {
  // A comment on a commit is not said to have changed.
  if (on.type === 'Commit' && action === 'create') {
    await emitNoteEvent(tx, { comment: commitCommentOf(note) })
  }
  if (on.type !== 'Commit' && on.type !== 'Epic') {
    await emitNoteEvent(tx, { note, action, on: await hookSubject(tx, on) })
  }
}
