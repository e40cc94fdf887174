import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { groupBy } from '../../../lib/group-by.js'
import { conditionOf } from '../protocol/condition.js'
import { listResponse, readListQuery, readSelection } from '../protocol/list-query.js'
import { applyPatch, readPatch } from '../protocol/patch.js'
import { GROUP_SHAPE, type GroupStatement, readGroup } from '../protocol/read-group.js'
import { checkVersion, selectAttributes, type Selection } from '../protocol/resource.js'
import { sendResource, sendScim } from '../protocol/send.js'
import { bodyOf, callerOf, idInPath, queryOf } from '../request.js'
import type { ScimDeps } from '../scim-deps.js'
import { GROUP_CONDITIONS, type GroupRow, listGroupRows, listMembers } from '../stores/group-store.js'
import { changeGroup, createGroup, deleteGroup, requireGroup } from './groups.js'
import { presentGroup } from './present.js'

/** `/Groups` (RFC 7644, section 3). */
export function groupRoutes(app: FastifyInstance, deps: ScimDeps, baseUrl: string): void {
  app.get('/Groups', async (request, reply) => {
    const { filter, startIndex, window, selection } = readListQuery(queryOf(request))
    const condition = conditionOf(filter, GROUP_CONDITIONS)
    const { provider } = callerOf(request)
    const { total, rows } = await listGroupRows(deps.database, provider.name, condition, window)
    const resources = await present(rows, selection)
    return sendScim(reply, 200, listResponse(total, startIndex, resources))
  })
  app.post('/Groups', async (request, reply) => {
    const group = await createGroup(deps, callerOf(request), readGroup(bodyOf(request)))
    return show(request, reply, group, 201)
  })
  app.get('/Groups/:id', async (request, reply) => show(request, reply, await wanted(request)))
  app.put('/Groups/:id', (request, reply) => {
    const statement = readGroup(bodyOf(request))
    return change(request, reply, () => ({ ...statement, members: statement.members ?? new Set() }))
  })
  app.patch('/Groups/:id', (request, reply) => {
    const operations = readPatch(bodyOf(request))
    return change(request, reply, (before) => readGroup(applyPatch(GROUP_SHAPE, before, operations)))
  })
  app.delete('/Groups/:id', async (request, reply) => {
    const group = await wanted(request)
    const [resource = {}] = await present([group], NOTHING_LEFT_OUT)
    checkVersion(resource, request.headers['if-match'])
    await deleteGroup(deps, group)
    return reply.code(204).send()
  })

  function wanted(request: FastifyRequest): Promise<GroupRow> {
    return requireGroup(deps, callerOf(request), idInPath(request, 'Group'))
  }

  async function change(
    request: FastifyRequest,
    reply: FastifyReply,
    read: (before: Record<string, unknown>) => GroupStatement,
  ): Promise<FastifyReply> {
    const caller = callerOf(request)
    const group = await changeGroup(deps, caller, idInPath(request, 'Group'), (row, members) => {
      const before = presentGroup(row, members, baseUrl)
      checkVersion(before, request.headers['if-match'])
      return read(before)
    })
    return show(request, reply, group)
  }

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    group: GroupRow,
    status?: number,
  ): Promise<FastifyReply> {
    const [resource = {}] = await present([group], readSelection(queryOf(request)))
    return sendResource(reply, resource, status)
  }

  /** Members may be many, so they are read only if the response has them. */
  async function present(rows: readonly GroupRow[], selection: Selection) {
    const { attributes, excluded } = selection
    const hasMembers = attributes.length > 0 ? attributes.includes('members') : !excluded.includes('members')
    const ids = rows.map(({ id }) => id)
    const members = hasMembers
      ? groupBy(await listMembers(deps.database, ids), (each) => each.scim_group_id)
      : undefined
    return rows.map((row) =>
      selectAttributes(presentGroup(row, members && (members.get(row.id) ?? []), baseUrl), selection),
    )
  }
}

const NOTHING_LEFT_OUT: Selection = { attributes: [], excluded: [] }
