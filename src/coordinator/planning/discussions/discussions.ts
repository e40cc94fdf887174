import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import {
  findThread,
  listThreads,
  type NoteRow,
  unresolvedAmong,
  updateNote,
} from '../../hosting/note-store.js'
import { apiError, forbidden, notFound } from '../../http/errors.js'
import { type Page, page, type Paging } from '../../http/page.js'
import type { NoteableFinder } from '../notes/find-noteable.js'
import { addNote, type NewNote, requireNote } from '../notes/note-changes.js'
import { type Noteable, noteFilterOf } from '../notes/noteable.js'
import { isResolvable, type Note, type NoteDeps, presentNotes } from '../notes/present-note.js'
import type { TextRenderer } from '../render-text.js'
import { awardsOfNotes } from '../stores/award-emoji-store.js'
import { updateMergeRequestRow } from '../stores/merge-request-store.js'
import { requestTask } from '../stores/merge-request-task-store.js'
import { newDiscussionId } from '../system-notes/discussion-id.js'
import { addSystemNotes } from '../system-notes/system-notes.js'
import type { CheckedPosition } from './position.js'
import type { DiscussedNote, Discussion } from './schema.js'

/** One page of the discussions that the caller may see, the oldest first. */
export async function listedDiscussions(
  deps: DetailDeps,
  on: Noteable,
  paging: Paging,
  { with_details = false }: { with_details?: boolean } = {},
): Promise<Page> {
  const { rows, total } = await listThreads(deps.database, on.owner, noteFilterOf(on), paging)
  const plain = await presentNotes(deps, on, rows.flat())
  const shown = with_details ? await withDetails(deps, on, plain) : plain
  const notes = new Map(shown.map((note) => [note.id, note]))
  const records = rows.map((thread) => recordOf(thread, notes))
  return page(records, total)
}

/** Throws 404 for an unknown discussion, and for one that is hidden from the caller. */
export async function oneDiscussion(deps: NoteDeps, on: Noteable, id: string): Promise<Discussion> {
  const thread = await requireThread(deps.database, on, id)
  const notes = new Map((await presentNotes(deps, on, thread)).map((note) => [note.id, note]))
  return recordOf(thread, notes)
}

/** In characters. Later texts of a response have no HTML, which limits its cost. */
const MAX_RENDERED = 256 * 1024

export interface DetailDeps extends NoteDeps {
  rendererFor: TextRenderer
}

async function withDetails(
  { database, rendererFor }: DetailDeps,
  on: Noteable,
  notes: readonly Note[],
): Promise<DiscussedNote[]> {
  const ids = notes.map(({ id }) => id)
  const awards = await awardsOfNotes(database, ids, on.viewer?.id)
  const render = rendererFor({ context: 'project' in on ? on.project : undefined, user: on.viewer })
  let left = MAX_RENDERED
  return Promise.all(
    notes.map(async (note) => {
      const award_emoji = awards.get(note.id) ?? []
      left -= note.body.length
      return left < 0
        ? { ...note, award_emoji }
        : { ...note, award_emoji, body_html: await render(note.body) }
    }),
  )
}

function recordOf(thread: readonly NoteRow[], notes: ReadonlyMap<number, DiscussedNote>): Discussion {
  const [first] = thread
  if (!first) throw notFound('Discussion')
  return {
    id: first.discussion_id,
    individual_note: first.type === null,
    notes: thread.flatMap(({ id }) => notes.get(id) ?? []),
  }
}

export async function requireThread(
  database: Database,
  on: Noteable,
  id: string,
): Promise<[NoteRow, ...NoteRow[]]> {
  const [first, ...rest] = await findThread(database, on.owner, id, noteFilterOf(on))
  if (!first) throw notFound('Discussion')
  return [first, ...rest]
}

/** Throws 404 for a note that is not one of the discussion. */
export async function noteIn(
  database: Database,
  on: Noteable,
  { discussion_id, note_id }: { discussion_id: string; note_id: number },
): Promise<NoteRow> {
  await requireThread(database, on, discussion_id)
  const row = await requireNote(database, on, note_id)
  if (row.discussion_id !== discussion_id) throw notFound()
  return row
}

type Text = Pick<NewNote, 'body' | 'createdAt' | 'suggestions' | 'mailedLater'>

/** Starts a discussion. Throws as `createNote`. */
export async function startDiscussion(
  deps: NoteDeps,
  { find, lock }: NoteableFinder,
  user: User,
  text: Text,
  checked?: CheckedPosition,
): Promise<Discussion> {
  const { discussion_id } = await inTransaction(deps.database, async (tx) =>
    addDiscussion(tx, await lock(tx), user, text, checked),
  )
  return oneDiscussion(deps, await find(deps.database), discussion_id)
}

/** As `startDiscussion`, in a transaction that has locked `on`. */
export function addDiscussion(
  tx: Transaction,
  on: Noteable,
  user: User,
  text: Text,
  checked?: CheckedPosition,
): Promise<NoteRow> {
  const columns = checked && {
    position: JSON.stringify(checked.position),
    original_position: JSON.stringify(checked.position),
    head_sha: checked.position.head_sha,
    line_code: checked.line_code,
  }
  return addNote(tx, on, user, {
    ...text,
    ...columns,
    type: checked ? 'DiffNote' : 'DiscussionNote',
    discussion_id: newDiscussionId(),
  })
}

/**
 * Adds a note to a discussion; a comment of its own becomes a discussion by it. The note is resolved if the discussion
 * is. Throws as `createNote`, 404 for an unknown discussion, and 400 for a record of a change.
 */
export function reply(
  database: Database,
  { lock }: NoteableFinder,
  user: User,
  text: Text & { discussion_id: string },
): Promise<NoteRow> {
  return inTransaction(database, async (tx) => addReply(tx, await lock(tx), user, text))
}

/** As `reply`, in a transaction that has locked `on`. */
export async function addReply(
  tx: Transaction,
  on: Noteable,
  user: User,
  { discussion_id, ...text }: Text & { discussion_id: string },
): Promise<NoteRow> {
  const first = await requireRepliable(tx, on, discussion_id)
  if (first.type === null) await updateNote(tx, first.id, { type: 'DiscussionNote' })
  const row = await addNote(tx, on, user, {
    ...text,
    discussion_id,
    type: first.type ?? 'DiscussionNote',
    internal: first.internal,
    position: positionJson(first.position),
    original_position: positionJson(first.original_position),
    head_sha: first.head_sha,
    line_code: first.line_code,
  })
  const { resolved_at, resolved_by_id } = first
  if (resolved_at === null) return row
  return (await updateNote(tx, row.id, { resolved_at, resolved_by_id })) ?? row
}

/** The first note of a discussion. Throws 404 for an unknown discussion, and 400 for a record of a change. */
export async function requireRepliable(
  database: Database,
  on: Noteable,
  discussionId: string,
): Promise<NoteRow> {
  const [first] = await requireThread(database, on, discussionId)
  if (first.system) throw apiError('discussion_not_repliable')
  return first
}

function positionJson(position: NoteRow['position']): string | null {
  return position && JSON.stringify(position)
}

/**
 * Resolves a discussion, or opens it again. Throws 404 for an unknown one, 403 if the caller may not resolve, and 400 if
 * it cannot be resolved.
 */
export function resolve(
  database: Database,
  { lock }: NoteableFinder,
  user: User,
  discussionId: string,
  resolved: boolean,
): Promise<void> {
  return inTransaction(database, async (tx) =>
    resolveIn(tx, await lock(tx), user, { discussionId, resolved }),
  )
}

/** As `resolve`, in a transaction that has locked `on`. */
export async function resolveIn(
  tx: Transaction,
  on: Noteable,
  user: User,
  { discussionId, resolved }: { discussionId: string; resolved: boolean },
): Promise<void> {
  const thread = await requireThread(tx, on, discussionId)
  if (!on.rights.resolve) throw forbidden()
  const notes = thread.filter(isResolvable)
  if (notes.length === 0) throw apiError('discussion_not_resolvable')
  const changed = notes.filter(({ resolved_at }) => (resolved_at !== null) !== resolved)
  const values = resolved
    ? { resolved_at: Date.now(), resolved_by_id: user.id }
    : { resolved_at: null, resolved_by_id: null }
  for (const { id } of changed) await updateNote(tx, id, values)
  if (changed.length > 0 && resolved) await afterResolved(tx, on, user)
}

/** Records that nothing is left to resolve, which a merge may have waited for. */
async function afterResolved(tx: Transaction, on: Noteable, user: User): Promise<void> {
  if (on.type !== 'MergeRequest') return
  const { row, owner } = on
  if ((await unresolvedAmong(tx, [row.id])).has(row.id)) return
  const about = { owner, projectId: row.project_id, userId: user.id }
  await addSystemNotes(tx, about, [{ action: 'discussion', body: 'resolved all threads' }])
  await updateMergeRequestRow(tx, row, { updated_at: Date.now() })
  if (row.merge_when_pipeline_succeeds)
    await requestTask(tx, row, 'merge', row.merge_user_id ?? row.author_id)
}
