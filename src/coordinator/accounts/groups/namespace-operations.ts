import { Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import { notFound } from '../../http/errors.js'
import { type Operation, operation } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { describeNamespaces } from './describe-namespaces.js'
import { existenceOf } from './existence.js'
import { maySeeNamespace } from './groups.js'
import { ById, Existence, ListNamespaces, Namespace, NamespaceExists } from './schema.js'
import { findNamespace, listNamespaces } from './store.js'

export interface NamespaceDeps {
  database: Database
  externalUrl: string
}

export function namespaceOperations(deps: NamespaceDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /namespaces', {
      summary: 'List namespaces that the caller can see',
      access: 'user',
      params: ListNamespaces,
      responses: { 200: Type.Array(Namespace) },
      paginated: true,
      run: async ({ params: { search, owned_only, top_level_only }, user, paging }) => {
        const filter = { search, topLevelOnly: top_level_only, ownedBy: owned_only ? user.id : undefined }
        const { rows, total } = await listNamespaces(database, filter, user, paging)
        return page(await describeNamespaces(deps, rows, user), total)
      },
    }),
    operation('GET /namespaces/:id', {
      summary: 'Get a namespace',
      access: 'user',
      params: ById,
      responses: { 200: Namespace },
      run: async ({ params, user }) => {
        const row = await findNamespace(database, params.id)
        if (!row || !(await maySeeNamespace(database, row, user))) throw notFound('Namespace')
        return (await describeNamespaces(deps, [row], user))[0]
      },
    }),
    operation('GET /namespaces/:path/exists', {
      summary: 'Check whether a namespace path exists, with suggestions',
      access: 'user',
      params: NamespaceExists,
      responses: { 200: Existence },
      run: ({ params }) => existenceOf(database, params.path, params.parent_id),
    }),
  ]
}
