import { setImmediate as nextTurn } from 'node:timers/promises'

import type { Database } from '../../database/connect.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { findThread, moveThread, type NoteRow, outdateThread } from '../../hosting/note-store.js'
import type { Reading } from '../../hosting/repositories/browse/reading.js'
import { apiError, tooSlow } from '../../http/errors.js'
import { requireMergeRequest } from '../access/merge-request-access.js'
import type { CommandRunner } from '../commands.js'
import { addDiscussion, addReply, resolveIn } from '../discussions/discussions.js'
import { addNote } from '../notes/note-changes.js'
import { mergeRequestNotes, type Noteable, noteFilterOf } from '../notes/noteable.js'
import { noticeCommentByMail, noticeReviewByMail } from '../notices/mail-notices.js'
import { latestVersion } from '../stores/merge-request-store.js'
import { newDiscussionId } from '../system-notes/discussion-id.js'
import { type Author, type DraftDeps, lockDrafts, requireDraft } from './drafts.js'
import { type Prepared, type PreparedDraft, prepareDrafts } from './prepare.js'
import { allDrafts, deleteDrafts, type DraftRow, type DraftsOf, timesOfDrafts } from './store.js'

export interface PublishDeps extends DraftDeps {
  commands: CommandRunner
}

/** How often drafts are prepared again because one of them, or the version of the merge request, was changed during that. */
const MAX_ATTEMPTS = 5
const DRAFTS_PER_TURN = 10

/**
 * Makes comments and discussions of the drafts of the caller, or of one of them, in one transaction and in their order;
 * then applies their quick actions. What may be commented and resolved is checked now: one draft that is refused keeps all
 * of them. Drafts that are added during the call stay drafts. Throws 404 for an unknown draft, 403 if the caller may not comment,
 * and 400 for one that cannot be published. Returns what the drafts were.
 */
export async function publishDrafts(
  deps: PublishDeps,
  reading: Reading,
  author: Author,
  { iid, id }: { iid: number; id?: number },
): Promise<DraftRow[]> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const prepared = await prepareWanted(deps, reading, author, { iid, ...(id !== undefined && { id }) })
    if (!(await inTransaction(deps.database, (tx) => publishPrepared(tx, author, iid, prepared)))) continue
    await runCommands(deps, author, iid, prepared)
    return prepared.drafts.map(({ row }) => row)
  }
  throw tooSlow()
}

async function runCommands(
  { commands }: PublishDeps,
  author: Author,
  iid: number,
  { drafts }: Prepared,
): Promise<void> {
  const list = drafts.flatMap((draft) => draft.commands)
  if (list.length > 0) await commands.onMergeRequest(author, iid, list)
}

async function prepareWanted(
  deps: DraftDeps,
  reading: Reading,
  author: Author,
  { iid, id }: { iid: number; id?: number },
): Promise<Prepared> {
  const { database } = deps
  const row = await requireMergeRequest(database, author, iid)
  const of = { mergeRequestId: row.id, authorId: author.user.id }
  const rows = id === undefined ? await allDrafts(database, of) : [await requireDraft(database, of, id)]
  const target = { on: mergeRequestNotes(author, row), mergeRequestId: row.id, projectId: row.project_id }
  return prepareDrafts(deps, reading, target, rows)
}

/** Whether they are published; if not, nothing is changed, and they must be prepared again. */
async function publishPrepared(
  tx: Transaction,
  author: Author,
  iid: number,
  { drafts, version }: Prepared,
): Promise<boolean> {
  const { on, of } = await lockDrafts(tx, author, iid)
  if ((await latestVersion(tx, of.mergeRequestId))?.id !== version?.id) return false
  if (!(await areUnchanged(tx, of, drafts))) return false
  await noticeTogether(tx, await publishAll(tx, on, author, drafts))
  await deleteDrafts(
    tx,
    drafts.map(({ row }) => row.id),
  )
  return true
}

async function publishAll(
  tx: Transaction,
  on: Noteable,
  author: Author,
  drafts: readonly PreparedDraft[],
): Promise<NoteRow[]> {
  const notes: NoteRow[] = []
  for (const [index, draft] of drafts.entries()) {
    // Queries of SQLite do not wait: without a pause, many drafts would be one turn of the event loop.
    if (index % DRAFTS_PER_TURN === 0) await nextTurn()
    const note = await publishOne(tx, on, author, draft)
    if (note) notes.push(note)
  }
  return notes
}

async function areUnchanged(
  tx: Transaction,
  of: DraftsOf,
  drafts: readonly PreparedDraft[],
): Promise<boolean> {
  const times = await timesOfDrafts(tx, of)
  return drafts.every(({ row }) => times.get(row.id) === row.updated_at)
}

/** The comment; undefined if the draft has nothing but quick actions. */
async function publishOne(
  tx: Transaction,
  on: Noteable,
  author: Author,
  draft: PreparedDraft,
): Promise<NoteRow | undefined> {
  const { row, text, suggestions } = draft
  const values = { body: text, suggestions, mailedLater: true }
  const { discussion_id } = row
  if (discussion_id !== null) return publishReply(tx, on, author, { ...draft, discussion_id })
  if (text === '') return undefined
  if (!row.position) return addNote(tx, on, author.user, { ...values, discussion_id: newDiscussionId() })
  const place = { position: row.position, line_code: row.line_code }
  const note = await addDiscussion(tx, on, author.user, values, place)
  await follow(tx, author, note, draft.latest)
  return note
}

/** Moves a new discussion to the latest version, or leaves it behind, as the push would have done. */
async function follow(
  tx: Transaction,
  { project, user }: Author,
  note: NoteRow,
  latest: PreparedDraft['latest'],
): Promise<void> {
  if (latest === undefined) return
  if (latest !== 'changed') return moveThread(tx, note.discussion_id, latest)
  const resolves = project.resolve_outdated_diff_discussions
  await outdateThread(tx, note, { userId: user.id, resolves })
}

async function publishReply(
  tx: Transaction,
  on: Noteable,
  { user }: Author,
  { row, text, suggestions, discussion_id }: PreparedDraft & { discussion_id: string },
): Promise<NoteRow | undefined> {
  const first = await discussionOf(tx, on, row, discussion_id)
  const note =
    text === ''
      ? undefined
      : await addReply(tx, on, user, { body: text, suggestions, mailedLater: true, discussion_id })
  const resolved = row.resolve_discussion
  if (resolved === null || resolved === (first.resolved_at !== null)) return note
  if (on.rights.resolve) await resolveIn(tx, on, user, { discussionId: discussion_id, resolved })
  // To leave it resolved is what those may do who comment.
  else if (resolved) throw notPublishable(row, 'you may not resolve its discussion any more')
  return note
}

async function discussionOf(tx: Database, on: Noteable, row: DraftRow, id: string): Promise<NoteRow> {
  const [first] = await findThread(tx, on.owner, id, noteFilterOf(on))
  if (!first) throw notPublishable(row, 'its discussion was deleted')
  return first
}

function notPublishable({ id }: DraftRow, reason: string): Error {
  return apiError('draft_note_not_publishable', { id, reason })
}

/** One mail for all comments; internal ones, which not everybody sees who sees the others, have their own. */
async function noticeTogether(tx: Transaction, notes: readonly NoteRow[]): Promise<void> {
  for (const note of notes.filter(({ internal }) => internal)) await noticeCommentByMail(tx, note)
  await noticeReviewByMail(
    tx,
    notes.filter(({ internal }) => !internal),
  )
}
