import { Type } from 'typebox'

import type { User } from '../../access/caller.js'
import { type Call, type Operation, operation } from '../../http/operation.js'
import { type Page, page, type Paging } from '../../http/page.js'
import { requireIssue } from '../access/issue-access.js'
import { requireMergeRequest } from '../access/merge-request-access.js'
import { visibleIssues } from '../access/visible-issues.js'
import { visibleMergeRequests } from '../access/visible-merge-requests.js'
import { type PresentDeps, presentIssues } from '../issues/present.js'
import { Issue } from '../issues/record-schema.js'
import { pageOfListed } from '../merge-requests/listed-record.js'
import { ListedMergeRequest } from '../merge-requests/record-schema.js'
import { issuesOfMergeRequest, mergeRequestsNaming } from '../stores/merge-request-issue-store.js'
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
  const declared = {
    access: 'read_issues',
    params: OfIssue,
    responses: { 200: Type.Array(ListedMergeRequest) },
    paginated: true,
  } as const
  const naming = async (
    call: Call<'read_issues', { issue_iid: number }>,
    named: { closing: boolean },
  ): Promise<Page> => {
    const { id } = await requireIssue(database, call, call.params.issue_iid)
    const ids = await mergeRequestsNaming(database, id, named)
    const rows = await visibleMergeRequests(database, call.user, ids)
    // They are in any projects: what the caller may do in this one does not count.
    return pageOfListed(deps, { user: call.user }, rows, call)
  }
  return [
    operation('GET /projects/:id/issues/:issue_iid/closed_by', {
      ...declared,
      summary: 'List the merge requests that close an issue when they are merged',
      run: (call) => naming(call, { closing: true }),
    }),
    operation('GET /projects/:id/issues/:issue_iid/related_merge_requests', {
      ...declared,
      summary: 'List the merge requests that mention an issue',
      run: (call) => naming(call, { closing: false }),
    }),
  ]
}

function mergeRequestOperations(deps: PresentDeps): Operation[] {
  const { database } = deps
  const list = async ({ project, user, paging }: Caller, ids: number[]): Promise<Page> => {
    const rows = await visibleIssues(database, user, ids)
    const shown = rows.slice(paging.offset, paging.offset + paging.perPage)
    return page(await presentIssues(deps, shown, { project: project.id }, user), rows.length)
  }
  const declared = {
    access: 'read_merge_requests',
    params: OfMergeRequest,
    responses: { 200: Type.Array(Issue) },
    paginated: true,
  } as const
  const named = async (call: Call<'read_merge_requests', { merge_request_iid: number }>) => {
    const { id } = await requireMergeRequest(database, call, call.params.merge_request_iid)
    return issuesOfMergeRequest(database, id)
  }
  return [
    operation('GET /projects/:id/merge_requests/:merge_request_iid/closes_issues', {
      ...declared,
      summary: 'List the issues that a merge request closes when it is merged',
      run: async (call) => {
        const closed = (await named(call)).filter(({ closes }) => closes)
        return list(
          call,
          closed.map(({ id }) => id),
        )
      },
    }),
    operation('GET /projects/:id/merge_requests/:merge_request_iid/related_issues', {
      ...declared,
      summary: 'List the issues that a merge request mentions',
      run: async (call) =>
        list(
          call,
          (await named(call)).map(({ id }) => id),
        ),
    }),
  ]
}
