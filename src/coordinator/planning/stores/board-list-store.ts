import { type RawBuilder, type Selectable, sql, type SqlBool } from 'kysely'

import { groupBy } from '../../../lib/group-by.js'
import type { Database } from '../../database/connect.js'
import { countRows } from '../../database/count-rows.js'
import type { BoardListTable } from '../../database/tables/boards.js'
import type { Transaction } from '../../database/transaction.js'
import { isAvailableTo } from '../../hosting/owner-scope.js'
import type { BoardOwner } from './board-store.js'

export type BoardListRow = Selectable<BoardListTable>

/** What a list shows the issues of: one of the three. */
export type BoardListSubject = Pick<BoardListRow, 'label_id' | 'assignee_id' | 'milestone_id'>

/**
 * The lists of boards of one owner, by board and in their order. Lists of labels and milestones of groups that are not above
 * the owner any more are left out: its issues cannot have them.
 */
export async function listsOfBoards(
  database: Database,
  owner: BoardOwner,
  boardIds: readonly number[],
): Promise<Map<number, BoardListRow[]>> {
  if (boardIds.length === 0) return new Map()
  const rows = await database
    .selectFrom('board_list')
    .leftJoin('label', 'label.id', 'board_list.label_id')
    .leftJoin('milestone', 'milestone.id', 'board_list.milestone_id')
    .selectAll('board_list')
    .where('board_list.board_id', 'in', boardIds)
    .where(() => isNullOr('board_list.label_id', isAvailableTo('label', owner)))
    .where(() => isNullOr('board_list.milestone_id', isAvailableTo('milestone', owner)))
    .orderBy('board_list.position')
    .orderBy('board_list.id')
    .execute()
  return groupBy(rows, ({ board_id }) => board_id)
}

function isNullOr(column: string, condition: RawBuilder<SqlBool>): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${sql.ref(column)} is null or ${condition})`
}

/** Number of lists of a board, with those that `listsOfBoards` leaves out. */
export function countLists(database: Database, boardId: number): Promise<number> {
  return countRows(database, database.selectFrom('board_list').where('board_id', '=', boardId))
}

/** Adds a list behind the others of a board that `tx` has locked; undefined if the board has one of the subject. */
export function insertList(
  tx: Transaction,
  boardId: number,
  subject: BoardListSubject,
): Promise<BoardListRow | undefined> {
  const now = Date.now()
  return tx
    .insertInto('board_list')
    .values({
      ...subject,
      board_id: boardId,
      position: sql<number>`(select coalesce(max(position) + 1, 0) from board_list where board_id = ${boardId})`,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Gives lists of a board that `tx` has locked the positions from 0 on, in this order. */
export async function placeLists(tx: Transaction, lists: readonly BoardListRow[]): Promise<void> {
  for (const [position, list] of lists.entries()) {
    if (list.position === position) continue
    await tx
      .updateTable('board_list')
      .set({ position, updated_at: Date.now() })
      .where('id', '=', list.id)
      .execute()
  }
}

/** Whether it existed. */
export async function deleteListRow(tx: Transaction, boardId: number, id: number): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('board_list')
    .where('id', '=', id)
    .where('board_id', '=', boardId)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}
