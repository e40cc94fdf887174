import { Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import { notFound } from '../../http/errors.js'
import { type Caller, type Operation, operation, page, type User } from '../../http/operation.js'
import { editGroup } from './edit-group.js'
import { createGroup, maySeeNamespace } from './groups.js'
import { presentGroup, presentNamespace } from './present.js'
import { ById, CreateGroup, EditGroup, Group, ListGroups, ListNamespaces, Namespace } from './schema.js'
import { findNamespace, listNamespaces } from './store.js'

export interface NamespaceDeps {
  database: Database
  externalUrl: string
}

export function namespaceOperations({ database, externalUrl }: NamespaceDeps): Operation[] {
  return [
    operation('GET /namespaces', {
      summary: 'List the namespaces that the caller may see',
      access: 'user',
      params: ListNamespaces,
      answers: { 200: Type.Array(Namespace) },
      paginated: true,
      run: async ({ params: { search, owned_only }, user, paging }) => {
        const ownedBy = owned_only ? user.id : undefined
        const { rows, total } = await listNamespaces(database, { search, ownedBy }, user, paging)
        return page(
          rows.map((row) => presentNamespace(row, externalUrl)),
          total,
        )
      },
    }),
    operation('GET /namespaces/:id', {
      summary: 'Get a namespace',
      access: 'user',
      params: ById,
      answers: { 200: Namespace },
      run: async ({ params, user }) => {
        const row = await findNamespace(database, params.id)
        if (!row || !(await maySeeNamespace(database, row, user))) throw notFound('Namespace')
        return presentNamespace(row, externalUrl)
      },
    }),
  ]
}

export function groupOperations({ database, externalUrl }: NamespaceDeps): Operation[] {
  return [
    operation('GET /groups', {
      summary: 'List the groups that the caller may see',
      access: 'anyone',
      params: ListGroups,
      answers: { 200: Type.Array(Group) },
      paginated: true,
      run: async ({ params: { search, owned, sort }, caller, paging }) => {
        const viewer = viewerOf(caller)
        const filter = {
          kind: 'group',
          search,
          sort,
          ownedBy: owned ? (viewer?.id ?? 0) : undefined,
        } as const
        const { rows, total } = await listNamespaces(database, filter, viewer, paging)
        return page(
          rows.map((row) => presentGroup(row, externalUrl)),
          total,
        )
      },
    }),
    operation('GET /groups/:id', {
      summary: 'Get a group',
      access: 'read_group',
      answers: { 200: Group },
      run: async ({ group }) => presentGroup(group, externalUrl),
    }),
    operation('POST /groups', {
      summary: 'Create a group',
      access: 'user',
      params: CreateGroup,
      answers: { 201: Group },
      run: async ({ params, user }) => presentGroup(await createGroup(database, params, user), externalUrl),
    }),
    operation('PUT /groups/:id', {
      summary: 'Change a group',
      access: 'admin_group',
      params: EditGroup,
      answers: { 200: Group },
      run: async ({ group, params }) => presentGroup(await editGroup(database, group, params), externalUrl),
    }),
  ]
}

function viewerOf(caller: Caller): User | undefined {
  return caller.kind === 'anonymous' ? undefined : caller.user
}
