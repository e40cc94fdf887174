import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { conditionOf } from '../protocol/condition.js'
import { listResponse, readListQuery, readSelection } from '../protocol/list-query.js'
import { applyPatch, readPatch } from '../protocol/patch.js'
import { readUser, USER_SHAPE, type UserStatement } from '../protocol/read-user.js'
import { checkVersion, selectAttributes } from '../protocol/resource.js'
import { sendResource, sendScim } from '../protocol/send.js'
import { bodyOf, callerOf, idInPath, queryOf } from '../request.js'
import type { ScimDeps } from '../scim-deps.js'
import { listManagedUsers, type ManagedUser, USER_CONDITIONS } from '../stores/user-store.js'
import { presentUser } from './present.js'
import { changeUser, createManagedUser, deleteManagedUser, requireUser } from './users.js'

/** `/Users` (RFC 7644, section 3). */
export function userRoutes(app: FastifyInstance, deps: ScimDeps, baseUrl: string): void {
  app.get('/Users', async (request, reply) => {
    const { filter, startIndex, window, selection } = readListQuery(queryOf(request))
    const condition = conditionOf(filter, USER_CONDITIONS)
    const { provider } = callerOf(request)
    const { total, rows } = await listManagedUsers(deps.database, provider.name, condition, window)
    const resources = rows.map((row) => selectAttributes(presentUser(row, baseUrl), selection))
    return sendScim(reply, 200, listResponse(total, startIndex, resources))
  })
  app.post('/Users', async (request, reply) => {
    const user = await createManagedUser(deps, callerOf(request), readUser(bodyOf(request)))
    return show(request, reply, user, 201)
  })
  app.get('/Users/:id', async (request, reply) => show(request, reply, await wanted(request)))
  app.put('/Users/:id', (request, reply) => change(request, reply, () => readUser(bodyOf(request))))
  app.patch('/Users/:id', (request, reply) =>
    change(request, reply, (before) => readUser(applyPatch(USER_SHAPE, before, readPatch(bodyOf(request))))),
  )
  app.delete('/Users/:id', async (request, reply) => {
    const user = await wanted(request)
    checkVersion(presentUser(user, baseUrl), request.headers['if-match'])
    await deleteManagedUser(deps, callerOf(request), user)
    return reply.code(204).send()
  })

  function wanted(request: FastifyRequest): Promise<ManagedUser> {
    return requireUser(deps, callerOf(request), idInPath(request, 'User'))
  }

  async function change(
    request: FastifyRequest,
    reply: FastifyReply,
    read: (before: Record<string, unknown>) => UserStatement,
  ): Promise<FastifyReply> {
    const user = await wanted(request)
    const before = presentUser(user, baseUrl)
    checkVersion(before, request.headers['if-match'])
    return show(request, reply, await changeUser(deps, callerOf(request), user, read(before)))
  }

  function show(
    request: FastifyRequest,
    reply: FastifyReply,
    user: ManagedUser,
    status?: number,
  ): FastifyReply {
    const resource = selectAttributes(presentUser(user, baseUrl), readSelection(queryOf(request)))
    return sendResource(reply, resource, status)
  }
}
