import type { Access } from '../../access/permissions.js'
import type { Repositories } from '../../hosting/repositories/repositories.js'
import type { Route } from '../../http/operation.js'
import { commitFinder } from '../notes/find-noteable.js'
import {
  type ByEpic,
  type ByIssue,
  type ByMergeRequest,
  type BySnippet,
  EPIC,
  ISSUE,
  MERGE_REQUEST,
  type NoteableKind,
  SNIPPET,
} from '../notes/noteable-kinds.js'
import { type DiscussionParams, OfCommit, OfEpic, OfIssue, OfMergeRequest, OfSnippet } from './schema.js'

/** Differences between the kinds of objects that have discussions (API, G2). */
export interface DiscussedKind<A extends Access, Key> extends NoteableKind<A, Key> {
  routes: Record<'list' | 'get' | 'create' | 'listNotes' | 'getNote' | 'reply' | 'edit' | 'delete', Route>
  params: DiscussionParams
}

export const ISSUE_DISCUSSIONS: DiscussedKind<'read_issues', ByIssue> = {
  ...ISSUE,
  routes: {
    list: 'GET /projects/:id/issues/:issue_iid/discussions',
    get: 'GET /projects/:id/issues/:issue_iid/discussions/:discussion_id',
    create: 'POST /projects/:id/issues/:issue_iid/discussions',
    listNotes: 'GET /projects/:id/issues/:issue_iid/discussions/:discussion_id/notes',
    getNote: 'GET /projects/:id/issues/:issue_iid/discussions/:discussion_id/notes/:note_id',
    reply: 'POST /projects/:id/issues/:issue_iid/discussions/:discussion_id/notes',
    edit: 'PUT /projects/:id/issues/:issue_iid/discussions/:discussion_id/notes/:note_id',
    delete: 'DELETE /projects/:id/issues/:issue_iid/discussions/:discussion_id/notes/:note_id',
  },
  params: OfIssue,
}

export const MERGE_REQUEST_DISCUSSIONS: DiscussedKind<'read_merge_requests', ByMergeRequest> = {
  ...MERGE_REQUEST,
  routes: {
    list: 'GET /projects/:id/merge_requests/:merge_request_iid/discussions',
    get: 'GET /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id',
    create: 'POST /projects/:id/merge_requests/:merge_request_iid/discussions',
    listNotes: 'GET /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes',
    getNote: 'GET /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes/:note_id',
    reply: 'POST /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes',
    edit: 'PUT /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes/:note_id',
    delete:
      'DELETE /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes/:note_id',
  },
  params: OfMergeRequest,
}

export const EPIC_DISCUSSIONS: DiscussedKind<'read_epics', ByEpic> = {
  ...EPIC,
  routes: {
    list: 'GET /groups/:id/epics/:epic_id/discussions',
    get: 'GET /groups/:id/epics/:epic_id/discussions/:discussion_id',
    create: 'POST /groups/:id/epics/:epic_id/discussions',
    listNotes: 'GET /groups/:id/epics/:epic_id/discussions/:discussion_id/notes',
    getNote: 'GET /groups/:id/epics/:epic_id/discussions/:discussion_id/notes/:note_id',
    reply: 'POST /groups/:id/epics/:epic_id/discussions/:discussion_id/notes',
    edit: 'PUT /groups/:id/epics/:epic_id/discussions/:discussion_id/notes/:note_id',
    delete: 'DELETE /groups/:id/epics/:epic_id/discussions/:discussion_id/notes/:note_id',
  },
  params: OfEpic,
}

export const SNIPPET_DISCUSSIONS: DiscussedKind<'read_snippets', BySnippet> = {
  ...SNIPPET,
  routes: {
    list: 'GET /projects/:id/snippets/:snippet_id/discussions',
    get: 'GET /projects/:id/snippets/:snippet_id/discussions/:discussion_id',
    create: 'POST /projects/:id/snippets/:snippet_id/discussions',
    listNotes: 'GET /projects/:id/snippets/:snippet_id/discussions/:discussion_id/notes',
    getNote: 'GET /projects/:id/snippets/:snippet_id/discussions/:discussion_id/notes/:note_id',
    reply: 'POST /projects/:id/snippets/:snippet_id/discussions/:discussion_id/notes',
    edit: 'PUT /projects/:id/snippets/:snippet_id/discussions/:discussion_id/notes/:note_id',
    delete: 'DELETE /projects/:id/snippets/:snippet_id/discussions/:discussion_id/notes/:note_id',
  },
  params: OfSnippet,
}

export function commitDiscussions(
  repositories: Pick<Repositories, 'resolveCommit'>,
): DiscussedKind<'read_code', { sha: string }> {
  return {
    routes: {
      list: 'GET /projects/:id/repository/commits/:sha/discussions',
      get: 'GET /projects/:id/repository/commits/:sha/discussions/:discussion_id',
      create: 'POST /projects/:id/repository/commits/:sha/discussions',
      listNotes: 'GET /projects/:id/repository/commits/:sha/discussions/:discussion_id/notes',
      getNote: 'GET /projects/:id/repository/commits/:sha/discussions/:discussion_id/notes/:note_id',
      reply: 'POST /projects/:id/repository/commits/:sha/discussions/:discussion_id/notes',
      edit: 'PUT /projects/:id/repository/commits/:sha/discussions/:discussion_id/notes/:note_id',
      delete: 'DELETE /projects/:id/repository/commits/:sha/discussions/:discussion_id/notes/:note_id',
    },
    of: 'a commit',
    access: 'read_code',
    params: OfCommit,
    finder: (call) => commitFinder(repositories, call, call.params.sha),
  }
}
