import type { Access } from '../../access/permissions.js'
import type { Call, Route } from '../../http/operation.js'
import {
  epicFinder,
  issueFinder,
  mergeRequestFinder,
  type NoteableFinder,
  snippetFinder,
} from './find-noteable.js'
import { type NoteParams, OfEpic, OfIssue, OfMergeRequest, OfSnippet } from './schema.js'

/** The parameters that name an object. */
export type ByIssue = { issue_iid: number }
export type ByMergeRequest = { merge_request_iid: number }
export type ByEpic = { epic_id: number }
export type BySnippet = { snippet_id: number }

/** Differences between the kinds of objects that have notes. `Key` has the parameters that name the object. */
export interface NoteableKind<A extends Access, Key> {
  /** Noun phrase for summaries: `an issue`. */
  of: string
  access: A
  finder: (call: Call<A, Key>) => NoteableFinder
}

/** A kind whose notes have operations of their own (API, G1). */
export interface NotedKind<A extends Access, Key> extends NoteableKind<A, Key> {
  routes: Record<'list' | 'get' | 'create' | 'edit' | 'delete', Route>
  params: NoteParams
  /** Whether a token with the scope `mcp` suffices for comments. */
  agentsMayComment?: true
}

export const ISSUE: NotedKind<'read_issues', ByIssue> = {
  routes: {
    list: 'GET /projects/:id/issues/:issue_iid/notes',
    get: 'GET /projects/:id/issues/:issue_iid/notes/:note_id',
    create: 'POST /projects/:id/issues/:issue_iid/notes',
    edit: 'PUT /projects/:id/issues/:issue_iid/notes/:note_id',
    delete: 'DELETE /projects/:id/issues/:issue_iid/notes/:note_id',
  },
  of: 'an issue',
  access: 'read_issues',
  params: OfIssue,
  finder: (call) => issueFinder(call, call.params.issue_iid),
}

export const MERGE_REQUEST: NotedKind<'read_merge_requests', ByMergeRequest> = {
  routes: {
    list: 'GET /projects/:id/merge_requests/:merge_request_iid/notes',
    get: 'GET /projects/:id/merge_requests/:merge_request_iid/notes/:note_id',
    create: 'POST /projects/:id/merge_requests/:merge_request_iid/notes',
    edit: 'PUT /projects/:id/merge_requests/:merge_request_iid/notes/:note_id',
    delete: 'DELETE /projects/:id/merge_requests/:merge_request_iid/notes/:note_id',
  },
  of: 'a merge request',
  access: 'read_merge_requests',
  params: OfMergeRequest,
  agentsMayComment: true,
  finder: (call) => mergeRequestFinder(call, call.params.merge_request_iid),
}

export const EPIC: NotedKind<'read_epics', ByEpic> = {
  routes: {
    list: 'GET /groups/:id/epics/:epic_id/notes',
    get: 'GET /groups/:id/epics/:epic_id/notes/:note_id',
    create: 'POST /groups/:id/epics/:epic_id/notes',
    edit: 'PUT /groups/:id/epics/:epic_id/notes/:note_id',
    delete: 'DELETE /groups/:id/epics/:epic_id/notes/:note_id',
  },
  of: 'an epic',
  access: 'read_epics',
  params: OfEpic,
  finder: (call) => epicFinder(call, call.params.epic_id),
}

export const SNIPPET: NotedKind<'read_snippets', BySnippet> = {
  routes: {
    list: 'GET /projects/:id/snippets/:snippet_id/notes',
    get: 'GET /projects/:id/snippets/:snippet_id/notes/:note_id',
    create: 'POST /projects/:id/snippets/:snippet_id/notes',
    edit: 'PUT /projects/:id/snippets/:snippet_id/notes/:note_id',
    delete: 'DELETE /projects/:id/snippets/:snippet_id/notes/:note_id',
  },
  of: 'a snippet',
  access: 'read_snippets',
  params: OfSnippet,
  finder: (call) => snippetFinder(call, call.params.snippet_id),
}
