import { Type } from 'typebox'

import type { Access } from '../../access/permissions.js'
import { notFound } from '../../http/errors.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { createList, deleteList, indexOfList, moveList, requireLists } from './lists.js'
import type { BoardRoutes, BoardScope } from './owner-routes.js'
import { type PresentDeps, presentLists } from './present.js'
import { BoardList, ByBoard, ByList, CreateList, MoveList, SUBJECTS } from './schema.js'

/** Lists of boards (API, F6). */
export function boardListOperations<A extends Access>(
  deps: PresentDeps,
  { routes, of, read, manage, at }: BoardRoutes<A>,
): Operation[] {
  const { database } = deps
  return [
    operation(routes.lists, {
      summary: `List the lists of a board of ${of}`,
      access: read,
      params: ByBoard,
      responses: { 200: Type.Array(BoardList) },
      paginated: true,
      run: async (call) => {
        const { offset, perPage } = call.paging
        const records = await presentLists(
          deps,
          await requireLists(database, at(call).owner, call.params.board_id),
        )
        return page(records.slice(offset, offset + perPage), records.length)
      },
    }),
    operation(routes.getList, {
      summary: `Get a list of a board of ${of}`,
      access: read,
      params: ByList,
      responses: { 200: BoardList },
      run: (call) => record(at(call), call.params),
    }),
    operation(routes.createList, {
      summary: `Add a list to a board of ${of}`,
      access: manage,
      params: CreateList,
      exactlyOne: [SUBJECTS],
      responses: { 201: BoardList },
      run: async (call) => {
        const { id, board_id } = await createList(database, at(call), call.params)
        return record(at(call), { board_id, list_id: id })
      },
    }),
    operation(routes.moveList, {
      summary: `Change the position of a list of a board of ${of}`,
      access: manage,
      params: MoveList,
      responses: { 200: BoardList },
      run: async (call) => {
        await moveList(database, at(call), call.params)
        return record(at(call), call.params)
      },
    }),
    operation(routes.deleteList, {
      summary: `Delete a list of a board of ${of}`,
      access: manage,
      params: ByList,
      responses: { 204: NoBody },
      modifiedAt: async (call) => (await row(at(call), call.params)).updated_at,
      run: async (call) => {
        await deleteList(database, at(call), call.params)
        return respond(204)
      },
    }),
  ]

  interface ListKey {
    board_id: number
    list_id: number
  }

  async function row({ owner }: BoardScope, { board_id, list_id }: ListKey) {
    const lists = await requireLists(database, owner, board_id)
    const found = lists[indexOfList(lists, list_id)]
    if (!found) throw notFound()
    return found
  }

  /** The record has the position among all lists of the board. */
  async function record(
    { owner }: BoardScope,
    { board_id, list_id }: ListKey,
  ): Promise<BoardList | undefined> {
    const lists = await requireLists(database, owner, board_id)
    const index = indexOfList(lists, list_id)
    return (await presentLists(deps, lists))[index]
  }
}
