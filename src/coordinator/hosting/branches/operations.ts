import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'

import { notFound } from '../../http/errors.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { pageOfNames } from '../../http/paging/token-paging.js'
import { deleteProtectedBranch } from '../protected-ref-store.js'
import { changerOf } from '../repositories/change/change-refs.js'
import { readingFor } from '../repositories/reading-for.js'
import { createBranch, deleteBranch, deleteMergedBranches, requireBranch } from './change-branches.js'
import { type BranchDeps, branchNames, type BranchViewer, describeBranches } from './list-branches.js'
import { protectOne } from './protect-branch.js'
import {
  Accepted,
  Branch,
  BranchName,
  BranchSummary,
  ListBranches,
  NewBranch,
  ProtectOne,
  SummarizeBranches,
} from './schema.js'
import { DivergenceCache, summarizeBranches } from './summarize-branches.js'

/** Branches of a project (API, E1). */
export function branchOperations(deps: BranchDeps): Operation[] {
  return [...reading(deps), ...changing(deps), ...protecting(deps)]
}

type BranchCall = BranchViewer & { reply: FastifyReply }

function reading(deps: BranchDeps): Operation[] {
  const cache = new DivergenceCache()
  return [
    operation('GET /projects/:id/repository/branches', {
      summary: 'List repository branches',
      access: 'read_code',
      params: ListBranches,
      responses: { 200: Type.Array(Branch) },
      paginated: true,
      run: async (call) => {
        const { sort = 'name_asc' } = call.params
        const names = await branchNames(readingFor(deps.pushes, call), call.params)
        return pageOfNames(names, call, sort === 'name_asc' ? 'asc' : 'other', {
          describe: (some) => records(deps, call, some),
          externalUrl: deps.externalUrl,
        })
      },
    }),
    operation('GET /projects/:id/repository/branch_summaries', {
      summary: 'Compare branches with the default branch, and get their latest pipelines',
      access: 'read_code',
      params: SummarizeBranches,
      responses: { 200: Type.Array(BranchSummary) },
      run: async (call) =>
        summarizeBranches(deps, call, readingFor(deps.pushes, call), {
          branches: call.params.branches,
          cache,
        }),
    }),
    operation('GET /projects/:id/repository/branches/:branch', {
      summary: 'Get a branch; HEAD returns 204 or 404',
      access: 'read_code',
      params: BranchName,
      responses: { 200: Branch, 204: NoBody },
      run: async (call) => {
        await requireBranch(deps.pushes, call.project, call.params.branch)
        return call.request.method === 'HEAD' ? respond(204) : record(deps, call, call.params.branch)
      },
    }),
  ]
}

function changing(deps: BranchDeps): Operation[] {
  const { pushes } = deps
  return [
    operation('POST /projects/:id/repository/branches', {
      summary: 'Create a branch',
      access: 'push_code',
      params: NewBranch,
      responses: { 201: Branch },
      run: async (call) => {
        await createBranch(pushes, changerOf(call), call.params)
        return record(deps, call, call.params.branch)
      },
    }),
    operation('DELETE /projects/:id/repository/branches/:branch', {
      summary: 'Delete a branch',
      access: 'push_code',
      params: BranchName,
      responses: { 204: NoBody },
      run: async (call) => {
        const seen = { reading: readingFor(deps.pushes, call), headers: call.request.headers }
        await deleteBranch(pushes, changerOf(call), seen, call.params.branch)
        return respond(204)
      },
    }),
    operation('DELETE /projects/:id/repository/merged_branches', {
      summary: 'Delete merged branches',
      access: 'push_code',
      responses: { 202: Accepted },
      run: async (call) => {
        await deleteMergedBranches(pushes, changerOf(call), readingFor(deps.pushes, call))
        return { message: '202 Accepted' }
      },
    }),
  ]
}

function protecting(deps: BranchDeps): Operation[] {
  const { database } = deps.pushes
  return [
    operation('PUT /projects/:id/repository/branches/:branch/protect', {
      summary: 'Protect a branch (deprecated form of POST /projects/:id/protected_branches)',
      access: 'admin_protected_refs',
      params: ProtectOne,
      responses: { 200: Branch },
      run: async (call) => {
        await requireBranch(deps.pushes, call.project, call.params.branch)
        await protectOne(database, call.project, call.params)
        return record(deps, call, call.params.branch)
      },
    }),
    operation('PUT /projects/:id/repository/branches/:branch/unprotect', {
      summary: 'Unprotect a branch (deprecated form of DELETE /projects/:id/protected_branches/:name)',
      access: 'admin_protected_refs',
      params: BranchName,
      responses: { 200: Branch },
      run: async (call) => {
        await requireBranch(deps.pushes, call.project, call.params.branch)
        await deleteProtectedBranch(database, call.project.id, call.params.branch)
        return record(deps, call, call.params.branch)
      },
    }),
  ]
}

function records(deps: BranchDeps, call: BranchCall, names: string[]): Promise<Branch[]> {
  return describeBranches(deps, call, readingFor(deps.pushes, call), names)
}

/** Throws 404 for a branch deleted in the meantime. */
async function record(deps: BranchDeps, call: BranchCall, name: string): Promise<Branch> {
  const [found] = await records(deps, call, [name])
  if (!found) throw notFound('Branch')
  return found
}
