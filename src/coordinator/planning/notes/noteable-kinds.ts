import type { Access } from '../../access/permissions.js'
import type { Call } from '../../http/operation.js'
import {
  epicFinder,
  issueFinder,
  mergeRequestFinder,
  type NoteableFinder,
  snippetFinder,
} from './find-noteable.js'

/** Differences between the kinds of objects that have notes (API, G1, G2). `Key` has the parameters that name the object. */
export interface NoteableKind<A extends Access, Key> {
  path: `/${string}`
  /** Noun phrase for summaries: `an issue`. */
  of: string
  access: A
  finder: (call: Call<A, Key>) => NoteableFinder
}

export const ISSUE: NoteableKind<'read_issues', { issue_iid: number }> = {
  path: '/projects/:id/issues/:issue_iid',
  of: 'an issue',
  access: 'read_issues',
  finder: (call) => issueFinder(call, call.params.issue_iid),
}

export const MERGE_REQUEST: NoteableKind<'read_merge_requests', { merge_request_iid: number }> = {
  path: '/projects/:id/merge_requests/:merge_request_iid',
  of: 'a merge request',
  access: 'read_merge_requests',
  finder: (call) => mergeRequestFinder(call, call.params.merge_request_iid),
}

export const EPIC: NoteableKind<'read_epics', { epic_id: number }> = {
  path: '/groups/:id/epics/:epic_id',
  of: 'an epic',
  access: 'read_epics',
  finder: (call) => epicFinder(call, call.params.epic_id),
}

export const SNIPPET: NoteableKind<'read_snippets', { snippet_id: number }> = {
  path: '/projects/:id/snippets/:snippet_id',
  of: 'a snippet',
  access: 'read_snippets',
  finder: (call) => snippetFinder(call, call.params.snippet_id),
}
