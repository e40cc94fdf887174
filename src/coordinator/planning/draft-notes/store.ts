import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { DraftNoteTable } from '../../database/tables/draft-notes.js'
import type { Transaction } from '../../database/transaction.js'
import type { Paging } from '../../http/page.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'

export type DraftRow = Selectable<DraftNoteTable>

/** The drafts of one author in one merge request. */
export interface DraftsOf {
  mergeRequestId: number
  authorId: number
}

function draftsOf(database: Database, { mergeRequestId, authorId }: DraftsOf) {
  return database
    .selectFrom('draft_note')
    .where('merge_request_id', '=', mergeRequestId)
    .where('author_id', '=', authorId)
}

/** One page of the drafts, the oldest first. */
export function listDrafts(database: Database, of: DraftsOf, paging: Paging): Promise<Rows<DraftRow>> {
  const order = { table: 'draft_note', column: 'id', direction: 'asc' } as const
  return listRows(database, draftsOf(database, of), paging, order)
}

/** All drafts, the oldest first. */
export function allDrafts(database: Database, of: DraftsOf): Promise<DraftRow[]> {
  return draftsOf(database, of).selectAll().orderBy('id').execute()
}

/** When each of the drafts was last changed, by its ID. */
export async function timesOfDrafts(database: Database, of: DraftsOf): Promise<Map<number, number>> {
  const rows = await draftsOf(database, of).select(['id', 'updated_at']).execute()
  return new Map(rows.map(({ id, updated_at }) => [id, updated_at]))
}

export function findDraft(database: Database, of: DraftsOf, id: number): Promise<DraftRow | undefined> {
  return draftsOf(database, of).selectAll().where('id', '=', id).executeTakeFirst()
}

/** How many drafts there are, and how many characters their texts have. */
export async function sizeOfDrafts(
  database: Database,
  of: DraftsOf,
): Promise<{ count: number; characters: number }> {
  return draftsOf(database, of)
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      sql<number>`cast(coalesce(sum(length(note)), 0) as bigint)`.as('characters'),
    ])
    .executeTakeFirstOrThrow()
}

export function insertDraft(
  tx: Transaction,
  { mergeRequestId, authorId }: DraftsOf,
  values: Omit<Insertable<DraftNoteTable>, 'id' | 'merge_request_id' | 'author_id'>,
): Promise<DraftRow> {
  return tx
    .insertInto('draft_note')
    .values({ ...values, merge_request_id: mergeRequestId, author_id: authorId })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function updateDraft(
  tx: Transaction,
  { id }: Pick<DraftRow, 'id'>,
  changes: Updateable<DraftNoteTable>,
): Promise<DraftRow> {
  return tx
    .updateTable('draft_note')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteDrafts(tx: Transaction, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await tx.deleteFrom('draft_note').where('id', 'in', ids).execute()
}
