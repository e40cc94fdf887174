import { Type } from 'typebox'

import { readingFor } from '../../../hosting/repositories/reading-for.js'
import { NoBody, type Operation, operation, respond } from '../../../http/operation.js'
import { page } from '../../../http/page.js'
import { CommitBrief } from '../../../http/presenters/present-commit.js'
import { signedIn } from '../../../http/viewer.js'
import { requireMergeRequest } from '../../access/merge-request-access.js'
import {
  addContextCommits,
  type ContextCommitDeps,
  presentContextCommits,
  removeContextCommits,
} from './context-commits.js'
import { ContextCommits, OfMergeRequest } from './schema.js'
import { contextCommitsOf } from './store.js'

/** Commits that a merge request shows besides its own (API, F4). */
export function contextCommitOperations(deps: ContextCommitDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /projects/:id/merge_requests/:merge_request_iid/context_commits', {
      summary: 'List the context commits of a merge request',
      access: 'read_merge_requests',
      params: OfMergeRequest,
      responses: { 200: Type.Array(CommitBrief) },
      paginated: true,
      run: async (call) => {
        const { id } = await requireMergeRequest(database, call, call.params.merge_request_iid)
        const shas = await contextCommitsOf(database, id)
        const { offset, perPage } = call.paging
        const shown = shas.slice(offset, offset + perPage)
        return page(await presentContextCommits(deps, call, readingFor(deps, call), shown), shas.length)
      },
    }),
    operation('POST /projects/:id/merge_requests/:merge_request_iid/context_commits', {
      summary: 'Add context commits to a merge request',
      access: 'read_merge_requests',
      params: ContextCommits,
      responses: { 201: Type.Array(CommitBrief) },
      run: async (call) => {
        const { merge_request_iid, commits } = call.params
        const caller = { ...call, user: signedIn(call.user) }
        const added = await addContextCommits(deps, caller, merge_request_iid, commits)
        return presentContextCommits(deps, call, readingFor(deps, call), added)
      },
    }),
    operation('DELETE /projects/:id/merge_requests/:merge_request_iid/context_commits', {
      summary: 'Remove context commits from a merge request',
      access: 'read_merge_requests',
      params: ContextCommits,
      responses: { 204: NoBody },
      run: async (call) => {
        const { merge_request_iid, commits } = call.params
        await removeContextCommits(
          database,
          { ...call, user: signedIn(call.user) },
          merge_request_iid,
          commits,
        )
        return respond(204)
      },
    }),
  ]
}
