import { type Insertable, type Selectable, sql, type SqlBool, type Updateable } from 'kysely'

import { valuesBy } from '../../../lib/group-by.js'
import type { Database } from '../../database/connect.js'
import { countRows } from '../../database/count-rows.js'
import type { BoardTable } from '../../database/tables/boards.js'
import type { Transaction } from '../../database/transaction.js'
import { isAvailableTo, type ProjectOrGroup } from '../../hosting/owner-scope.js'
import type { Paging } from '../../http/page.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'
import type { LabelRow } from './label-store.js'

export type BoardRow = Selectable<BoardTable>

/** Owner of a board. */
export type BoardOwner = ProjectOrGroup

function isOf(owner: BoardOwner) {
  return 'project_id' in owner
    ? sql<SqlBool>`board.project_id = ${owner.project_id}`
    : sql<SqlBool>`board.group_id = ${owner.group_id}`
}

/** One page of the boards of a project or group, oldest first. */
export function listBoards(database: Database, owner: BoardOwner, paging: Paging): Promise<Rows<BoardRow>> {
  const matching = database.selectFrom('board').where(() => isOf(owner))
  return listRows(database, matching, paging, { table: 'board', column: 'id', direction: 'asc' })
}

/** Undefined for an unknown board, and for one of another owner. */
export function findBoard(database: Database, owner: BoardOwner, id: number): Promise<BoardRow | undefined> {
  return database
    .selectFrom('board')
    .selectAll()
    .where('id', '=', id)
    .where(() => isOf(owner))
    .executeTakeFirst()
}

/** As `findBoard`, and locks the board until `tx` ends. The lock is a write in both databases. */
export function lockBoard(tx: Transaction, owner: BoardOwner, id: number): Promise<BoardRow | undefined> {
  return tx
    .updateTable('board')
    .set(({ ref }) => ({ name: ref('name') }))
    .where('id', '=', id)
    .where(() => isOf(owner))
    .returningAll()
    .executeTakeFirst()
}

export function countBoards(database: Database, owner: BoardOwner): Promise<number> {
  return countRows(
    database,
    database.selectFrom('board').where(() => isOf(owner)),
  )
}

export type NewBoardRow = Pick<Insertable<BoardTable>, 'name'> & Partial<Insertable<BoardTable>>

export function insertBoard(tx: Transaction, owner: BoardOwner, values: NewBoardRow): Promise<BoardRow> {
  const now = Date.now()
  return tx
    .insertInto('board')
    .values({ ...values, ...owner, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Changes a board that `tx` has locked. */
export function updateBoard(tx: Transaction, id: number, changes: Updateable<BoardTable>): Promise<BoardRow> {
  return tx
    .updateTable('board')
    .set({ ...changes, updated_at: Date.now() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Whether it existed. */
export async function deleteBoardRow(database: Database, id: number): Promise<boolean> {
  const deleted = await database.deleteFrom('board').where('id', '=', id).returning('id').executeTakeFirst()
  return deleted !== undefined
}

/**
 * The labels to which boards of one owner are limited, by board and in the order of their names. Labels of groups that are
 * not above the owner any more are left out.
 */
export async function labelsOfBoards(
  database: Database,
  owner: BoardOwner,
  boardIds: readonly number[],
): Promise<Map<number, LabelRow[]>> {
  if (boardIds.length === 0) return new Map()
  const rows = await database
    .selectFrom('board_label')
    .innerJoin('label', 'label.id', 'board_label.label_id')
    .selectAll('label')
    .select('board_label.board_id')
    .where('board_label.board_id', 'in', boardIds)
    .where(() => isAvailableTo('label', owner))
    .orderBy('label.name')
    .orderBy('label.id')
    .execute()
  return valuesBy(rows, ({ board_id, ...label }) => [board_id, label])
}

/** Those of the milestones that issues on boards of the owner can have. */
export async function availableMilestones(
  database: Database,
  owner: BoardOwner,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  const rows = await database
    .selectFrom('milestone')
    .select('id')
    .where('id', 'in', ids)
    .where(() => isAvailableTo('milestone', owner))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Replaces the labels of a board that `tx` has locked. */
export async function setBoardLabels(
  tx: Transaction,
  boardId: number,
  labelIds: readonly number[],
): Promise<void> {
  await tx.deleteFrom('board_label').where('board_id', '=', boardId).execute()
  if (labelIds.length === 0) return
  await tx
    .insertInto('board_label')
    .values(labelIds.map((label_id) => ({ board_id: boardId, label_id })))
    .execute()
}
