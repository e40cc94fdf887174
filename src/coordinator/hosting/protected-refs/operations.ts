import { type TSchema, Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import { NoBody, type Operation, operation, respond, type Route } from '../../http/operation.js'
import { page } from '../../http/page.js'
import {
  deleteProtectedRef,
  listProtectedRefs,
  type ProtectedRef,
  type RefKind,
} from '../protected-ref-store.js'
import { type AccessRow, listAccess } from './access-store.js'
import { presentProtectedBranch, presentTag } from './present.js'
import { changeProtectedBranch, existingRule, protectBranch, protectTag } from './protected-refs.js'
import {
  ListProtected,
  ProtectBranch,
  ProtectedBranch,
  ProtectedName,
  ProtectedTag,
  ProtectTag,
} from './schema.js'

/** Fields that audit events show with old and new values. */
const NOTED = [
  'push_access_levels',
  'merge_access_levels',
  'unprotect_access_levels',
  'allow_force_push',
  'code_owner_approval_required',
]

export function protectedBranchOperations({ database }: { database: Database }): Operation[] {
  return [
    ...shared(database, {
      kind: 'branch',
      routes: {
        list: 'GET /projects/:id/protected_branches',
        get: 'GET /projects/:id/protected_branches/:name',
        delete: 'DELETE /projects/:id/protected_branches/:name',
      },
      record: ProtectedBranch,
      present: presentProtectedBranch,
    }),
    operation('POST /projects/:id/protected_branches', {
      summary: 'Protect a branch or a wildcard',
      access: 'admin_protected_refs',
      params: ProtectBranch,
      responses: { 201: ProtectedBranch },
      run: async ({ project, params }) =>
        recordOf(database, presentProtectedBranch, await protectBranch(database, project, params)),
    }),
    operation('PATCH /projects/:id/protected_branches/:name', {
      summary: 'Update a protected branch',
      access: 'admin_protected_refs',
      params: ProtectBranch,
      changes: {
        attributes: NOTED,
        before: async ({ project, params }) =>
          recordOf(
            database,
            presentProtectedBranch,
            await existingRule(database, project, 'branch', params.name),
          ),
      },
      responses: { 200: ProtectedBranch },
      run: async ({ project, params }) =>
        recordOf(database, presentProtectedBranch, await changeProtectedBranch(database, project, params)),
    }),
  ]
}

export function protectedTagOperations({ database }: { database: Database }): Operation[] {
  return [
    ...shared(database, {
      kind: 'tag',
      routes: {
        list: 'GET /projects/:id/protected_tags',
        get: 'GET /projects/:id/protected_tags/:name',
        delete: 'DELETE /projects/:id/protected_tags/:name',
      },
      record: ProtectedTag,
      present: presentTag,
    }),
    operation('POST /projects/:id/protected_tags', {
      summary: 'Protect a tag or a wildcard',
      access: 'admin_protected_refs',
      params: ProtectTag,
      responses: { 201: ProtectedTag },
      run: async ({ project, params }) =>
        recordOf(database, presentTag, await protectTag(database, project, params)),
    }),
  ]
}

interface Protection {
  kind: RefKind
  routes: Record<'list' | 'get' | 'delete', Route>
  record: TSchema
  present: Present
}

/** Presents a rule as a public record; `named` are its users and groups. */
type Present = (rule: ProtectedRef, named: AccessRow[]) => unknown

/** Operations that branches and tags have in common. */
function shared(database: Database, { kind, routes, record, present }: Protection): Operation[] {
  return [
    operation(routes.list, {
      summary: `List protected ${kind === 'branch' ? 'branches' : 'tags'}`,
      access: 'admin_protected_refs',
      params: ListProtected,
      responses: { 200: Type.Array(record) },
      paginated: true,
      run: async ({ project, params, paging }) => {
        const { rows, total } = await listProtectedRefs(database, project.id, kind, params.search, paging)
        return page(await records(database, present, rows), total)
      },
    }),
    operation(routes.get, {
      summary: `Get a protected ${kind} or wildcard`,
      access: 'admin_protected_refs',
      params: ProtectedName,
      responses: { 200: record },
      run: async ({ project, params }) =>
        recordOf(database, present, await existingRule(database, project, kind, params.name)),
    }),
    operation(routes.delete, {
      summary: `Unprotect a ${kind}`,
      access: 'admin_protected_refs',
      params: ProtectedName,
      responses: { 204: NoBody },
      run: async ({ project, params }) => {
        const rule = await existingRule(database, project, kind, params.name)
        await deleteProtectedRef(database, rule.id)
        return respond(204)
      },
    }),
  ]
}

async function records(database: Database, present: Present, rules: ProtectedRef[]): Promise<unknown[]> {
  const named = await listAccess(
    database,
    rules.map(({ id }) => id),
  )
  return rules.map((rule) =>
    present(
      rule,
      named.filter(({ protected_ref_id }) => protected_ref_id === rule.id),
    ),
  )
}

async function recordOf(database: Database, present: Present, rule: ProtectedRef): Promise<unknown> {
  return (await records(database, present, [rule]))[0]
}
