import { Type } from 'typebox'

import type { User } from '../../access/caller.js'
import { type Operation, operation, type Page, page, type Paging } from '../../http/operation.js'
import { requireIssue } from '../access/issue-access.js'
import { requireMergeRequest } from '../access/merge-request-access.js'
import { visibleIssues } from '../access/visible-issues.js'
import { visibleMergeRequests } from '../access/visible-merge-requests.js'
import { Issue, type PresentDeps, presentIssues } from '../issues/present.js'
import { issuesOfMergeRequest, mergeRequestsNaming } from '../merge-request-issue-store.js'
import { presentListedMergeRequests } from '../merge-requests/listed-record.js'
import { ListedMergeRequest } from '../merge-requests/record.js'
import { OfIssue, OfMergeRequest } from './schema.js'

/** Issues that merge requests name in their descriptions and commits, and the other way round (API, F2 and F4). */
export function relatedOperations(deps: PresentDeps): Operation[] {
  return [...issueOperations(deps), ...mergeRequestOperations(deps)]
}

interface Caller {
  project: { id: number }
  user: User | undefined
  paging: Paging
}

function issueOperations(deps: PresentDeps): Operation[] {
  const { database } = deps
  const list = async ({ project, user, paging }: Caller, ids: number[]): Promise<Page> => {
    const rows = await visibleMergeRequests(database, user, ids)
    const shown = rows.slice(paging.offset, paging.offset + paging.perPage)
    return page(
      await presentListedMergeRequests(deps, { user }, shown, { origin: { project: project.id } }),
      rows.length,
    )
  }
  return [
    operation('GET /projects/:id/issues/:issue_iid/closed_by', {
      summary: 'List the merge requests that close an issue when they are merged',
      access: 'read_issues',
      params: OfIssue,
      responses: { 200: Type.Array(ListedMergeRequest) },
      paginated: true,
      run: async (call) => {
        const { id } = await requireIssue(database, call, call.params.issue_iid)
        return list(call, await mergeRequestsNaming(database, id, { closing: true }))
      },
    }),
    operation('GET /projects/:id/issues/:issue_iid/related_merge_requests', {
      summary: 'List the merge requests that mention an issue',
      access: 'read_issues',
      params: OfIssue,
      responses: { 200: Type.Array(ListedMergeRequest) },
      paginated: true,
      run: async (call) => {
        const { id } = await requireIssue(database, call, call.params.issue_iid)
        return list(call, await mergeRequestsNaming(database, id, { closing: false }))
      },
    }),
  ]
}

function mergeRequestOperations(deps: PresentDeps): Operation[] {
  const { database } = deps
  const list = async ({ project, user, paging }: Caller, ids: number[]): Promise<Page> => {
    const rows = await visibleIssues(database, user, ids)
    const shown = rows.slice(paging.offset, paging.offset + paging.perPage)
    return page(await presentIssues(deps, shown, { project: project.id }), rows.length)
  }
  return [
    operation('GET /projects/:id/merge_requests/:merge_request_iid/closes_issues', {
      summary: 'List the issues that a merge request closes when it is merged',
      access: 'read_merge_requests',
      params: OfMergeRequest,
      responses: { 200: Type.Array(Issue) },
      paginated: true,
      run: async (call) => {
        const { id } = await requireMergeRequest(database, call, call.params.merge_request_iid)
        const named = await issuesOfMergeRequest(database, id)
        return list(
          call,
          named.flatMap((issue) => (issue.closes ? [issue.id] : [])),
        )
      },
    }),
    operation('GET /projects/:id/merge_requests/:merge_request_iid/related_issues', {
      summary: 'List the issues that a merge request mentions',
      access: 'read_merge_requests',
      params: OfMergeRequest,
      responses: { 200: Type.Array(Issue) },
      paginated: true,
      run: async (call) => {
        const { id } = await requireMergeRequest(database, call, call.params.merge_request_iid)
        const named = await issuesOfMergeRequest(database, id)
        return list(
          call,
          named.map((issue) => issue.id),
        )
      },
    }),
  ]
}
