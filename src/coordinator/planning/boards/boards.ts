import type { Database } from '../../database/connect.js'
import { lockRow } from '../../database/lock-row.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { apiError, invalidRecord, notFound } from '../../http/errors.js'
import {
  type BoardOwner,
  type BoardRow,
  countBoards,
  findBoard,
  insertBoard,
  lockBoard,
  setBoardLabels,
  updateBoard,
} from '../stores/board-store.js'
import type { BoardScope } from './owner-routes.js'
import type { CreateBoard, EditBoard } from './schema.js'
import { assigneeFor, labelFor, milestoneFor } from './subjects.js'

/** Maximum number of boards of a project or group. */
export const MAX_BOARDS = 100

/** Throws 404 for an unknown board, and for one of another owner. */
export async function requireBoard(database: Database, owner: BoardOwner, id: number): Promise<BoardRow> {
  const row = await findBoard(database, owner, id)
  if (!row) throw notFound()
  return row
}

/** As `requireBoard`, and locks the board until `tx` ends. */
export async function lockTheBoard(tx: Transaction, owner: BoardOwner, id: number): Promise<BoardRow> {
  const row = await lockBoard(tx, owner, id)
  if (!row) throw notFound()
  return row
}

/** Throws 400 for a blank name, for an unknown label, assignee or milestone, and if there are too many boards. */
export function createBoard(database: Database, scope: BoardScope, params: CreateBoard): Promise<BoardRow> {
  const { owner } = scope
  const name = checkedName(params.name)
  return inTransaction(database, async (tx) => {
    await ('project_id' in owner
      ? lockRow(tx, 'project', owner.project_id)
      : lockRow(tx, 'namespace', owner.group_id))
    if ((await countBoards(tx, owner)) >= MAX_BOARDS) throw apiError('too_many_boards', { max: MAX_BOARDS })
    const row = await insertBoard(tx, owner, { name, ...(await valuesOf(tx, scope, params)) })
    await changeLabels(tx, scope, row.id, params)
    return row
  })
}

/** Throws 404 for an unknown board, and 400 as for a new one. */
export function editBoard(database: Database, scope: BoardScope, params: EditBoard): Promise<BoardRow> {
  return inTransaction(database, async (tx) => {
    const { id } = await lockTheBoard(tx, scope.owner, params.board_id)
    const name = params.name === undefined ? {} : { name: checkedName(params.name) }
    const row = await updateBoard(tx, id, { ...name, ...(await valuesOf(tx, scope, params)) })
    await changeLabels(tx, scope, id, params)
    return row
  })
}

/** Throws 400 for a blank name. */
export function checkedName(name: string): string {
  const trimmed = name.trim()
  if (trimmed === '') throw invalidRecord({ name: ["can't be blank"] })
  return trimmed
}

type Settings = Omit<EditBoard, 'board_id' | 'name'>
type Columns = Partial<
  Pick<BoardRow, 'hide_backlog_list' | 'hide_closed_list' | 'milestone_id' | 'assignee_id' | 'weight'>
>

async function valuesOf(
  tx: Transaction,
  scope: BoardScope,
  { hide_backlog_list, hide_closed_list, milestone_id, assignee_id, weight }: Settings,
): Promise<Columns> {
  return {
    ...(hide_backlog_list === undefined ? {} : { hide_backlog_list }),
    ...(hide_closed_list === undefined ? {} : { hide_closed_list }),
    ...(weight === undefined ? {} : { weight }),
    ...(milestone_id === undefined
      ? {}
      : { milestone_id: milestone_id ? await milestoneFor(tx, scope, milestone_id) : null }),
    ...(assignee_id === undefined
      ? {}
      : { assignee_id: assignee_id ? await assigneeFor(tx, scope, assignee_id) : null }),
  }
}

async function changeLabels(
  tx: Transaction,
  scope: BoardScope,
  boardId: number,
  { labels }: Settings,
): Promise<void> {
  if (labels === undefined) return
  const names = [...new Set(labels.map((name) => name.trim()))].filter((name) => name !== '')
  const ids = new Set<number>()
  for (const name of names) ids.add(await labelFor(tx, scope, { name }))
  await setBoardLabels(tx, boardId, [...ids])
}
