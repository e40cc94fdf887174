import { Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import { answer, NoBody, type Operation, operation, page } from '../../http/operation.js'
import { presentBranch, presentTag } from './present.js'
import { changeProtectedBranch, existingRule, protectBranch, protectTag } from './protected-refs.js'
import {
  ListProtected,
  ProtectBranch,
  ProtectedBranch,
  ProtectedName,
  ProtectedTag,
  ProtectTag,
} from './schema.js'
import { deleteProtectedRef, listProtectedRefs, type RefKind } from './store.js'

export function protectedBranchOperations({ database }: { database: Database }): Operation[] {
  return [
    operation('GET /projects/:id/protected_branches', {
      summary: 'List the protected branches',
      access: 'maintainer',
      params: ListProtected,
      answers: { 200: Type.Array(ProtectedBranch) },
      paginated: true,
      run: async ({ project, params, paging }) => {
        const { rows, total } = await listProtectedRefs(database, project.id, 'branch', params.search, paging)
        return page(rows.map(presentBranch), total)
      },
    }),
    operation('GET /projects/:id/protected_branches/:name', {
      summary: 'Get a protected branch or wildcard',
      access: 'maintainer',
      params: ProtectedName,
      answers: { 200: ProtectedBranch },
      run: async ({ project, params }) =>
        presentBranch(await existingRule(database, project, 'branch', params.name)),
    }),
    operation('POST /projects/:id/protected_branches', {
      summary: 'Protect a branch, or all whose name fits a wildcard',
      access: 'maintainer',
      params: ProtectBranch,
      answers: { 201: ProtectedBranch },
      run: async ({ project, params }) => presentBranch(await protectBranch(database, project, params)),
    }),
    operation('PATCH /projects/:id/protected_branches/:name', {
      summary: 'Change a protected branch',
      access: 'maintainer',
      params: ProtectBranch,
      answers: { 200: ProtectedBranch },
      run: async ({ project, params }) =>
        presentBranch(await changeProtectedBranch(database, project, params)),
    }),
    removal(database, 'DELETE /projects/:id/protected_branches/:name', 'branch', 'Unprotect a branch'),
  ]
}

export function protectedTagOperations({ database }: { database: Database }): Operation[] {
  return [
    operation('GET /projects/:id/protected_tags', {
      summary: 'List the protected tags',
      access: 'maintainer',
      params: ListProtected,
      answers: { 200: Type.Array(ProtectedTag) },
      paginated: true,
      run: async ({ project, params, paging }) => {
        const { rows, total } = await listProtectedRefs(database, project.id, 'tag', params.search, paging)
        return page(rows.map(presentTag), total)
      },
    }),
    operation('GET /projects/:id/protected_tags/:name', {
      summary: 'Get a protected tag or wildcard',
      access: 'maintainer',
      params: ProtectedName,
      answers: { 200: ProtectedTag },
      run: async ({ project, params }) =>
        presentTag(await existingRule(database, project, 'tag', params.name)),
    }),
    operation('POST /projects/:id/protected_tags', {
      summary: 'Protect a tag, or all whose name fits a wildcard',
      access: 'maintainer',
      params: ProtectTag,
      answers: { 201: ProtectedTag },
      run: async ({ project, params }) => presentTag(await protectTag(database, project, params)),
    }),
    removal(database, 'DELETE /projects/:id/protected_tags/:name', 'tag', 'Unprotect a tag'),
  ]
}

function removal(database: Database, route: `DELETE /${string}`, kind: RefKind, summary: string): Operation {
  return operation(route, {
    summary,
    access: 'maintainer',
    params: ProtectedName,
    answers: { 204: NoBody },
    run: async ({ project, params }) => {
      const rule = await existingRule(database, project, kind, params.name)
      await deleteProtectedRef(database, rule.id)
      return answer(204)
    },
  })
}
