import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import type { Reading } from '../../hosting/repositories/browse/reading.js'
import type { Repositories } from '../../hosting/repositories/repositories.js'
import { apiError, forbidden, invalidParameters, notFound } from '../../http/errors.js'
import type { CallerInProject } from '../access/issue-access.js'
import { lockTheMergeRequest, requireMergeRequest } from '../access/merge-request-access.js'
import { readCommands } from '../commands.js'
import { requireRepliable } from '../discussions/discussions.js'
import { type CheckedPosition, checkPosition } from '../discussions/position.js'
import type { GivenPosition } from '../discussions/schema.js'
import { mergeRequestNotes, type Noteable } from '../notes/noteable.js'
import type { CreateDraft, EditDraft } from './schema.js'
import {
  deleteDrafts,
  type DraftRow,
  type DraftsOf,
  findDraft,
  insertDraft,
  sizeOfDrafts,
  updateDraft,
} from './store.js'

/** Most drafts of one author in one merge request. */
const MAX_DRAFTS = 500
/** Most characters of their texts: publishing reads all of them. */
const MAX_CHARACTERS = 4_000_000

/** The author of drafts, in the project of the merge request. */
export type Author = CallerInProject & { user: User }

export interface DraftDeps {
  database: Database
  repositories: Pick<Repositories, 'readFile'>
}

/** Throws 404 for an unknown merge request. */
export async function draftsIn(
  database: Database,
  { user, ...caller }: Author,
  iid: number,
): Promise<DraftsOf> {
  const { id } = await requireMergeRequest(database, caller, iid)
  return { mergeRequestId: id, authorId: user.id }
}

/** Throws 404 for an unknown draft, and for one of another author. */
export async function requireDraft(database: Database, of: DraftsOf, id: number): Promise<DraftRow> {
  const row = await findDraft(database, of, id)
  if (!row) throw notFound()
  return row
}

/**
 * Saves a comment that is not published. Throws as a comment that is published: 403 if the caller may not comment or not
 * resolve, 404 for an unknown discussion, 400 for an empty text and a place that is not in the diff. 400 also if the caller
 * has too many drafts.
 */
export async function createDraft(
  deps: DraftDeps,
  reading: Reading,
  author: Author,
  { merge_request_iid: iid, position, in_reply_to_discussion_id: replyTo, ...given }: CreateDraft,
): Promise<DraftRow> {
  checkText(given.note)
  // A reply is where its discussion is.
  const place = replyTo ? undefined : await checkedPlace(deps, reading, author, iid, position)
  return inTransaction(deps.database, async (tx) => {
    const { on, of } = await lockDrafts(tx, author, iid)
    if (!on.rights.comment) throw forbidden()
    if (replyTo) await requireRepliable(tx, on, replyTo)
    checkResolving(on, replyTo, given.resolve_discussion)
    await checkSize(tx, of, { drafts: 1, characters: given.note.length })
    const now = Date.now()
    return insertDraft(tx, of, {
      note: given.note,
      discussion_id: replyTo || null,
      resolve_discussion: replyTo ? given.resolve_discussion : null,
      commit_id: given.commit_id ?? null,
      ...place,
      created_at: now,
      updated_at: now,
    })
  })
}

/** Throws as `createDraft`, and 404 for an unknown draft. */
export async function editDraft(
  deps: DraftDeps,
  reading: Reading,
  author: Author,
  { merge_request_iid: iid, draft_note_id: id, note, position }: EditDraft,
): Promise<DraftRow> {
  if (note !== undefined) checkText(note)
  const { discussion_id } = await requireDraft(deps.database, await draftsIn(deps.database, author, iid), id)
  if (position && discussion_id !== null)
    throw invalidParameters('position: a reply is where its discussion is')
  const place = await checkedPlace(deps, reading, author, iid, position)
  return inTransaction(deps.database, async (tx) => {
    const { of } = await lockDrafts(tx, author, iid)
    const before = await requireDraft(tx, of, id)
    const characters = (note ?? before.note).length - before.note.length
    await checkSize(tx, of, { drafts: 0, characters })
    // Each change has a time of its own: publishing knows by it whether the draft is the one that it has read.
    const updated_at = Math.max(Date.now(), before.updated_at + 1)
    return updateDraft(tx, before, { ...(note !== undefined && { note }), ...place, updated_at })
  })
}

/** Throws 404 for an unknown draft. */
export function deleteDraft(database: Database, author: Author, iid: number, id: number): Promise<void> {
  return inTransaction(database, async (tx) => {
    const { of } = await lockDrafts(tx, author, iid)
    await deleteDrafts(tx, [(await requireDraft(tx, of, id)).id])
  })
}

/** Locks a merge request, and with it the drafts of the author. Throws 404 for an unknown one. */
export async function lockDrafts(
  tx: Transaction,
  author: Author,
  iid: number,
): Promise<{ on: Noteable; of: DraftsOf }> {
  const row = await lockTheMergeRequest(tx, author, iid)
  return { on: mergeRequestNotes(author, row), of: { mergeRequestId: row.id, authorId: author.user.id } }
}

function checkText(note: string): void {
  if (note.trim() === '') throw apiError('note_blank')
  // Throws if it has too many of them to be published.
  readCommands(note)
}

async function checkedPlace(
  deps: DraftDeps,
  reading: Reading,
  author: Author,
  iid: number,
  position: GivenPosition | undefined,
): Promise<{ position: string; line_code: string | null } | undefined> {
  if (!position) return undefined
  const row = await requireMergeRequest(deps.database, author, iid)
  const checked: CheckedPosition = await checkPosition(deps, reading, row, position)
  return { position: JSON.stringify(checked.position), line_code: checked.line_code }
}

function checkResolving({ rights }: Noteable, replyTo: string | null | undefined, resolves?: boolean): void {
  if (!resolves) return
  if (!replyTo)
    throw invalidParameters('resolve_discussion: in_reply_to_discussion_id must name a discussion')
  if (!rights.resolve) throw forbidden()
}

async function checkSize(
  tx: Transaction,
  of: DraftsOf,
  added: { drafts: number; characters: number },
): Promise<void> {
  const size = await sizeOfDrafts(tx, of)
  if (added.drafts > 0 && size.count >= MAX_DRAFTS) {
    throw apiError('too_many_draft_notes', { max: MAX_DRAFTS, of: 'drafts' })
  }
  if (added.characters > 0 && size.characters + added.characters > MAX_CHARACTERS) {
    throw apiError('too_many_draft_notes', { max: MAX_CHARACTERS, of: 'characters in drafts' })
  }
}
