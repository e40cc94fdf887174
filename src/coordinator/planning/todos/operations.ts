import { Type } from 'typebox'

import type { User } from '../../access/caller.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { againIfTaken } from '../../database/unique-violation.js'
import { notFound } from '../../http/errors.js'
import { type ApiResponse, NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { signedIn } from '../../http/viewer.js'
import { lockTheIssue } from '../access/issue-access.js'
import { lockTheMergeRequest } from '../access/merge-request-access.js'
import type { PresentDeps } from '../issues/present.js'
import { noticedIssue, noticedMergeRequest } from '../notices/add-todos.js'
import {
  finishTodo,
  finishTodosOf,
  insertTodos,
  reopenTodo,
  type TodoRow,
  type TodoTarget,
} from '../stores/todo-store.js'
import { presentTodo, presentTodos } from './present.js'
import { ById, FilterTodos, ListTodos, OfIssue, OfMergeRequest, Todo } from './schema.js'
import { conditionsOf, findTodo, listTodos } from './store.js'

/** To-do items of the caller (API, G7). */
export function todoOperations(deps: PresentDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /todos', {
      summary: 'List the to-do items of the caller',
      access: 'user',
      params: ListTodos,
      responses: { 200: Type.Array(Todo) },
      paginated: true,
      run: async ({ user, params, paging }) => {
        const { rows, total } = await listTodos(database, user, params, paging)
        return page(await presentTodos(deps, rows, user), total)
      },
    }),
    operation('POST /todos/:id/mark_as_done', {
      summary: 'Mark a to-do item as done',
      access: 'user',
      params: ById,
      responses: { 201: Todo },
      run: ({ user, params }) => change(deps, user, params.id, finishTodo),
    }),
    operation('POST /todos/:id/mark_as_pending', {
      summary: 'Mark a to-do item as pending again',
      access: 'user',
      params: ById,
      responses: { 201: Todo },
      run: ({ user, params }) => change(deps, user, params.id, reopenTodo),
    }),
    operation('POST /todos/mark_as_done', {
      summary: 'Mark all to-do items of the caller as done',
      access: 'user',
      params: FilterTodos,
      responses: { 204: NoBody },
      run: async ({ user, params }) => {
        await inTransaction(database, (tx) => finishTodosOf(tx, user.id, conditionsOf(params)))
        return respond(204)
      },
    }),
    operation('POST /projects/:id/issues/:issue_iid/todo', {
      summary: 'Create a to-do item for an issue',
      access: 'read_issues',
      params: OfIssue,
      responses: { 201: Todo, 304: NoBody },
      run: (call) =>
        mark(deps, signedIn(call.user), async (tx) =>
          noticedIssue(await lockTheIssue(tx, call, call.params.issue_iid)),
        ),
    }),
    operation('POST /projects/:id/merge_requests/:merge_request_iid/todo', {
      summary: 'Create a to-do item for a merge request',
      access: 'read_merge_requests',
      params: OfMergeRequest,
      responses: { 201: Todo, 304: NoBody },
      run: (call) =>
        mark(deps, signedIn(call.user), async (tx) =>
          noticedMergeRequest(await lockTheMergeRequest(tx, call, call.params.merge_request_iid)),
        ),
    }),
  ]
}

/** Changes the state of an item. Throws 404 if the user has none with this ID. */
async function change(
  deps: PresentDeps,
  user: User,
  id: number,
  by: (tx: Transaction, id: number) => Promise<TodoRow | undefined>,
): Promise<Todo> {
  // A newer item about the target may become pending at the same time.
  const todo = await againIfTaken(() =>
    inTransaction(deps.database, async (tx) => {
      const found = await findTodo(tx, user, id)
      return found && by(tx, found.id)
    }),
  )
  if (!todo) throw notFound()
  return presentTodo(deps, todo, user)
}

/** Adds an item for the user; 304 if there is a pending one about the target. */
async function mark(
  deps: PresentDeps,
  user: User,
  lock: (tx: Transaction) => Promise<TodoTarget>,
): Promise<ApiResponse> {
  const [todo] = await inTransaction(deps.database, async (tx) =>
    insertTodos(tx, await lock(tx), { userIds: [user.id], authorId: user.id, action: 'marked' }),
  )
  return todo ? respond(201, await presentTodo(deps, todo, user)) : respond(304)
}
