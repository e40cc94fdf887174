import type { Database } from '../../database/connect.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { apiError, invalidRecord, notFound } from '../../http/errors.js'
import {
  type BoardListRow,
  type BoardListSubject,
  countLists,
  deleteListRow,
  insertList,
  listsOfBoards,
  placeLists,
} from '../stores/board-list-store.js'
import type { BoardOwner } from '../stores/board-store.js'
import { lockTheBoard, requireBoard } from './boards.js'
import type { BoardScope } from './owner-routes.js'
import type { CreateList, MoveList } from './schema.js'
import { assigneeFor, labelFor, milestoneFor } from './subjects.js'

/** Maximum number of lists of a board. */
export const MAX_LISTS = 100

/** The lists of a board in their order. Throws 404 for an unknown board. */
export async function requireLists(
  database: Database,
  owner: BoardOwner,
  boardId: number,
): Promise<BoardListRow[]> {
  const { id } = await requireBoard(database, owner, boardId)
  return (await listsOfBoards(database, owner, [id])).get(id) ?? []
}

/** Index of a list among those of its board. Throws 404 for a list that is not among them. */
export function indexOfList(lists: readonly BoardListRow[], id: number): number {
  const index = lists.findIndex((list) => list.id === id)
  if (index === -1) throw notFound()
  return index
}

/**
 * Adds a list to a board, behind the others. Throws 404 for an unknown board, and 400 for an unknown label, assignee or
 * milestone, for one that has a list, and if there are too many lists.
 */
export function createList(
  database: Database,
  scope: BoardScope,
  { board_id, ...wanted }: CreateList,
): Promise<BoardListRow> {
  return inTransaction(database, async (tx) => {
    const board = await lockTheBoard(tx, scope.owner, board_id)
    const subject = await subjectOf(tx, scope, wanted)
    if ((await countLists(tx, board.id)) >= MAX_LISTS) throw apiError('too_many_lists', { max: MAX_LISTS })
    const row = await insertList(tx, board.id, subject)
    if (!row) throw invalidRecord({ [kindOf(subject)]: ['has already been taken'] })
    return row
  })
}

async function subjectOf(
  tx: Transaction,
  scope: BoardScope,
  { label_id, assignee_id, milestone_id }: Omit<CreateList, 'board_id'>,
): Promise<BoardListSubject> {
  return {
    label_id: label_id === undefined ? null : await labelFor(tx, scope, { id: label_id }),
    assignee_id: assignee_id === undefined ? null : await assigneeFor(tx, scope, assignee_id),
    milestone_id: milestone_id === undefined ? null : await milestoneFor(tx, scope, milestone_id),
  }
}

function kindOf({ label_id, assignee_id }: BoardListSubject): 'label' | 'assignee' | 'milestone' {
  if (label_id !== null) return 'label'
  return assignee_id === null ? 'milestone' : 'assignee'
}

/** Moves a list within its board. Throws 404 for an unknown list, and 400 for a position that the board does not have. */
export async function moveList(
  database: Database,
  { owner }: BoardScope,
  { board_id, list_id, position }: MoveList,
): Promise<void> {
  await inTransaction(database, async (tx) => {
    await lockTheBoard(tx, owner, board_id)
    const lists = await requireLists(tx, owner, board_id)
    const index = indexOfList(lists, list_id)
    if (position < 0 || position >= lists.length) {
      throw apiError('list_not_movable', { last: lists.length - 1 })
    }
    const moved = lists.toSpliced(index, 1).toSpliced(position, 0, ...lists.slice(index, index + 1))
    await placeLists(tx, moved)
  })
}

/** Throws 404 for an unknown list. */
export async function deleteList(
  database: Database,
  { owner }: BoardScope,
  { board_id, list_id }: { board_id: number; list_id: number },
): Promise<void> {
  await inTransaction(database, async (tx) => {
    const { id } = await lockTheBoard(tx, owner, board_id)
    if (!(await deleteListRow(tx, id, list_id))) throw notFound()
  })
}
