import { Type } from 'typebox'

import type { Access } from '../../access/permissions.js'
import { notFound } from '../../http/errors.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { type BoardRow, deleteBoardRow, listBoards } from '../stores/board-store.js'
import { createBoard, editBoard, requireBoard } from './boards.js'
import { boardListOperations } from './list-operations.js'
import { type BoardRoutes, type BoardScope, IN_GROUP, IN_PROJECT } from './owner-routes.js'
import { presentBoards, type PresentDeps } from './present.js'
import { Board, ByBoard, CHANGES, CreateBoard, EditBoard } from './schema.js'

/** Boards of projects and groups, and their lists (API, F6). */
export function boardOperations(deps: PresentDeps): Operation[] {
  return [
    ...operationsIn(deps, IN_PROJECT),
    ...operationsIn(deps, IN_GROUP),
    ...boardListOperations(deps, IN_PROJECT),
    ...boardListOperations(deps, IN_GROUP),
  ]
}

function operationsIn<A extends Access>(deps: PresentDeps, owner: BoardRoutes<A>): Operation[] {
  const { database } = deps
  const { routes, of, read, manage, at } = owner
  const record = async (scope: BoardScope, row: BoardRow): Promise<Board | undefined> =>
    (await presentBoards(deps, scope, [row]))[0]
  return [
    operation(routes.list, {
      summary: `List the boards of ${of}`,
      access: read,
      params: Type.Object({}),
      responses: { 200: Type.Array(Board) },
      paginated: true,
      run: async (call) => {
        const scope = at(call)
        const { rows, total } = await listBoards(database, scope.owner, call.paging)
        return page(await presentBoards(deps, scope, rows), total)
      },
    }),
    operation(routes.get, {
      summary: `Get a board of ${of}`,
      access: read,
      params: ByBoard,
      responses: { 200: Board },
      run: async (call) => {
        const scope = at(call)
        return record(scope, await requireBoard(database, scope.owner, call.params.board_id))
      },
    }),
    operation(routes.create, {
      summary: `Create a board of ${of}`,
      access: manage,
      params: CreateBoard,
      responses: { 201: Board },
      run: async (call) => record(at(call), await createBoard(database, at(call), call.params)),
    }),
    operation(routes.edit, {
      summary: `Update a board of ${of}`,
      access: manage,
      params: EditBoard,
      atLeastOne: [CHANGES],
      responses: { 200: Board },
      run: async (call) => record(at(call), await editBoard(database, at(call), call.params)),
    }),
    operation(routes.delete, {
      summary: `Delete a board of ${of}`,
      access: manage,
      params: ByBoard,
      responses: { 204: NoBody },
      modifiedAt: async (call) =>
        (await requireBoard(database, at(call).owner, call.params.board_id)).updated_at,
      run: async (call) => {
        const { id } = await requireBoard(database, at(call).owner, call.params.board_id)
        if (!(await deleteBoardRow(database, id))) throw notFound()
        return respond(204)
      },
    }),
  ]
}
