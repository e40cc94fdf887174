import { type Insertable, type Selectable, type SelectQueryBuilder, sql, type Updateable } from 'kysely'

import { groupBy } from '../../lib/group-by.js'
import { isNamingPlaceSeen } from '../access/planning-visibility.js'
import type { Viewer } from '../access/visibility.js'
import type { Database } from '../database/connect.js'
import type { Tables } from '../database/tables/database-tables.js'
import type { NotePosition, NoteTable } from '../database/tables/notes.js'
import type { Transaction } from '../database/transaction.js'
import type { Paging } from '../http/page.js'
import { countAround, listRows, type Rows } from '../http/paging/list-rows.js'
import { DISCUSSED, type DiscussedColumn, emitPlanned } from './planned-changes.js'

export type NoteRow = Selectable<NoteTable>
export type NewNoteRow = Omit<Insertable<NoteTable>, 'id'>

/** What a note belongs to, by the column that names it. */
export type NoteOwner = PlannedOwner | CommitOwner

export interface PlannedOwner {
  column: DiscussedColumn
  id: number
}

/** The columns of notes that name records with a live topic. */
export const OWNERS = Object.values(DISCUSSED).map(({ column }) => column)

/** A commit of a project. */
export interface CommitOwner {
  column: 'commit_sha'
  id: string
  projectId: number
}

export interface NoteFilter {
  /** Whether notes are included that only members from the reporter role on see. */
  internal: boolean
  /**
   * The reader of the notes. Notes about a place that names the owner are hidden if the reader may not see the place.
   */
  viewer: Viewer
  /** All by default. */
  activity?: 'all_notes' | 'only_comments' | 'only_activity' | undefined
}

type NoteQuery = SelectQueryBuilder<Tables, 'note', object>

function notesOf(
  database: Database,
  owner: NoteOwner,
  { internal, viewer, activity }: NoteFilter,
): NoteQuery {
  return ownedBy(database.selectFrom('note'), owner)
    .where(() => isNamingPlaceSeen(viewer))
    .$if(!internal, (all) => all.where('note.internal', '=', false))
    .$if(activity === 'only_comments', (all) => all.where('note.system', '=', false))
    .$if(activity === 'only_activity', (all) => all.where('note.system', '=', true))
}

function ownedBy(notes: NoteQuery, owner: NoteOwner): NoteQuery {
  if (owner.column !== 'commit_sha') return notes.where(`note.${owner.column}`, '=', owner.id)
  return notes.where('note.commit_sha', '=', owner.id).where('note.project_id', '=', owner.projectId)
}

export function listNotes(
  database: Database,
  owner: NoteOwner,
  filter: NoteFilter,
  paging: Paging,
  order: { column: 'created_at' | 'updated_at'; direction: 'asc' | 'desc' },
): Promise<Rows<NoteRow>> {
  return listRows(database, notesOf(database, owner, filter), paging, { table: 'note', ...order })
}

/** One page of the threads, the oldest first; each with all of its notes, the oldest first. */
export async function listThreads(
  database: Database,
  owner: NoteOwner,
  filter: NoteFilter,
  paging: Paging,
): Promise<Rows<NoteRow[]>> {
  const threads = notesOf(database, owner, filter)
    .select(({ fn }) => ['note.discussion_id', fn.min('note.id').as('first')])
    .groupBy('note.discussion_id')
  const page = await threads.orderBy('first').limit(paging.perPage).offset(paging.offset).execute()
  const total = await countAround(database, threads, paging, page.length)
  const notes = await notesOfThreads(
    database,
    owner,
    page.map(({ discussion_id }) => discussion_id),
    filter,
  )
  return { rows: page.map(({ discussion_id }) => notes.get(discussion_id) ?? []), total }
}

async function notesOfThreads(
  database: Database,
  owner: NoteOwner,
  ids: readonly string[],
  filter: NoteFilter,
): Promise<Map<string, NoteRow[]>> {
  if (ids.length === 0) return new Map()
  const rows = await notesOf(database, owner, filter)
    .selectAll('note')
    .where('note.discussion_id', 'in', ids)
    .orderBy('note.id')
    .execute()
  return groupBy(rows, ({ discussion_id: id }) => id)
}

/** The notes of a thread, the oldest first; none for an unknown thread. */
export async function findThread(
  database: Database,
  owner: NoteOwner,
  discussionId: string,
  filter: NoteFilter,
): Promise<NoteRow[]> {
  return (await notesOfThreads(database, owner, [discussionId], filter)).get(discussionId) ?? []
}

export function findNote(
  database: Database,
  owner: NoteOwner,
  id: number,
  filter: NoteFilter,
): Promise<NoteRow | undefined> {
  return notesOf(database, owner, filter).selectAll('note').where('note.id', '=', id).executeTakeFirst()
}

/** A note of any owner; undefined if there is none. */
export function findNoteById(database: Database, id: number): Promise<NoteRow | undefined> {
  return database.selectFrom('note').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Notes of any owner, the oldest first; without those that do not exist. */
export function findNotesById(database: Database, ids: readonly number[]): Promise<NoteRow[]> {
  return database.selectFrom('note').selectAll().where('id', 'in', ids).orderBy('id').execute()
}

/** The first notes of the discussions of lines of a merge request that are at other heads, and not left behind. */
export function diffThreads(
  database: Database,
  mergeRequestId: number,
  { exceptAt, limit }: { exceptAt: string; limit: number },
): Promise<NoteRow[]> {
  return database
    .selectFrom('note')
    .selectAll()
    .where('merge_request_id', '=', mergeRequestId)
    .where('type', '=', 'DiffNote')
    .where('system', '=', false)
    .where('outdated_at', 'is', null)
    .where('head_sha', '<>', exceptAt)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('note as earlier')
            .select('earlier.id')
            .whereRef('earlier.discussion_id', '=', 'note.discussion_id')
            .whereRef('earlier.merge_request_id', '=', 'note.merge_request_id')
            .whereRef('earlier.id', '<', 'note.id'),
        ),
      ),
    )
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Moves the comments of a discussion to another place of the diff. */
export async function moveThread(
  tx: Transaction,
  discussionId: string,
  position: NotePosition,
): Promise<void> {
  await tx
    .updateTable('note')
    .set({ position: JSON.stringify(position), head_sha: position.head_sha })
    .where('discussion_id', '=', discussionId)
    .where('type', '=', 'DiffNote')
    .execute()
}

/** Leaves a discussion at its version, adds a note that says so, and resolves the discussion if that is wanted. */
export async function outdateThread(
  tx: Transaction,
  { discussion_id, project_id, merge_request_id }: NoteRow,
  { userId, resolves }: { userId: number; resolves: boolean },
): Promise<void> {
  const now = Date.now()
  await tx
    .updateTable('note')
    .set({ outdated_at: now })
    .where('discussion_id', '=', discussion_id)
    .where('type', '=', 'DiffNote')
    .execute()
  await insertNote(tx, {
    project_id,
    merge_request_id,
    discussion_id,
    type: 'DiscussionNote',
    author_id: userId,
    body: 'changed this line in a later version of the diff',
    system: true,
    action: 'outdated',
    created_at: now,
    updated_at: now,
  })
  if (resolves) await resolveThread(tx, discussion_id, userId)
}

/** Resolves the comments of a discussion that are not resolved. */
export async function resolveThread(tx: Transaction, discussionId: string, userId: number): Promise<void> {
  await tx
    .updateTable('note')
    .set({ resolved_at: Date.now(), resolved_by_id: userId })
    .where('discussion_id', '=', discussionId)
    .where('system', '=', false)
    .where('type', 'is not', null)
    .where('resolved_at', 'is', null)
    .execute()
}

export async function insertNote(tx: Transaction, values: NewNoteRow): Promise<NoteRow> {
  const row = await tx.insertInto('note').values(values).returningAll().executeTakeFirstOrThrow()
  emitPlanned(tx, row)
  return row
}

/** Undefined if it was deleted. */
export async function updateNote(
  tx: Transaction,
  id: number,
  changes: Updateable<NoteTable>,
): Promise<NoteRow | undefined> {
  const row = await tx.updateTable('note').set(changes).where('id', '=', id).returningAll().executeTakeFirst()
  if (row) emitPlanned(tx, row)
  return row
}

export async function deleteNoteRow(tx: Transaction, id: number): Promise<void> {
  const row = await tx.deleteFrom('note').where('id', '=', id).returning(OWNERS).executeTakeFirst()
  if (row) emitPlanned(tx, row)
}

/**
 * Numbers of comments of issues, merge requests or epics, by their IDs; without internal ones, of which not everybody
 * may know who sees the target.
 */
export async function countComments(
  database: Database,
  column: PlannedOwner['column'],
  ids: readonly number[],
): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const rows = await database
    .selectFrom('note')
    .select(({ fn, ref }) => [
      sql<number>`${ref(`note.${column}`)}`.as('owner_id'),
      fn.countAll<number>().as('total'),
    ])
    .where(`note.${column}`, 'in', ids)
    .where('note.system', '=', false)
    .where('note.internal', '=', false)
    .groupBy(`note.${column}`)
    .execute()
  return new Map(rows.map(({ owner_id, total }) => [owner_id, total]))
}

/** IDs of the users who have commented, in the order of their first comments; `'public'`: of those that everybody sees. */
export async function commentersOf(
  database: Database,
  { column, id }: PlannedOwner,
  comments: 'all' | 'public' = 'all',
): Promise<number[]> {
  const rows = await database
    .selectFrom('note')
    .select(({ fn }) => ['note.author_id', fn.min('note.id').as('first')])
    .where(`note.${column}`, '=', id)
    .where('note.system', '=', false)
    .$if(comments === 'public', (query) => query.where('note.internal', '=', false))
    .groupBy('note.author_id')
    .orderBy('first')
    .execute()
  return rows.map(({ author_id }) => author_id)
}

/** Those of the merge requests that have a thread which nobody has resolved. */
export async function unresolvedAmong(
  database: Database,
  mergeRequestIds: readonly number[],
): Promise<Set<number>> {
  if (mergeRequestIds.length === 0) return new Set()
  const rows = await database
    .selectFrom('note')
    .select('merge_request_id')
    .distinct()
    .where('merge_request_id', 'in', mergeRequestIds)
    .where('system', '=', false)
    .where('type', 'is not', null)
    .where('resolved_at', 'is', null)
    .execute()
  return new Set(rows.flatMap(({ merge_request_id: id }) => (id === null ? [] : [id])))
}

/** Copies the comments of an issue to another one, and the records of its changes; only comments, if that is wanted. */
export async function copyIssueNotes(
  tx: Transaction,
  fromId: number,
  to: { id: number; project_id: number },
  { onlyComments = false }: { onlyComments?: boolean } = {},
): Promise<void> {
  const rows = await tx
    .selectFrom('note')
    .selectAll()
    .where('issue_id', '=', fromId)
    .$if(onlyComments, (query) => query.where('system', '=', false))
    .orderBy('id')
    .execute()
  for (const { id: _, position: __, original_position: ___, ...row } of rows) {
    await insertNote(tx, { ...row, issue_id: to.id, project_id: to.project_id })
  }
}

/** Makes `to` the author of the notes of `from`. */
export async function reassignNotes(tx: Transaction, from: number, to: number): Promise<void> {
  await tx.updateTable('note').set({ author_id: to }).where('author_id', '=', from).execute()
}
