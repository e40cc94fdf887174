import { ACCESS_LEVELS } from '../../access/access-levels.js'
import type { Access } from '../../access/permissions.js'
import type { Database } from '../../database/connect.js'
import type { Transaction } from '../../database/transaction.js'
import { requireSnippet } from '../../hosting/snippets/visible-snippets.js'
import type { Call, Route } from '../../http/operation.js'
import { type CallerInProject, lockTheIssue, requireIssue } from '../access/issue-access.js'
import { lockTheMergeRequest, requireMergeRequest } from '../access/merge-request-access.js'
import {
  epicFinder,
  issueFinder,
  mergeRequestFinder,
  type NoteableFinder,
  snippetFinder,
} from '../notes/find-noteable.js'
import { requireNote } from '../notes/note-changes.js'
import type { ByEpic, ByIssue, ByMergeRequest, BySnippet } from '../notes/noteable-kinds.js'
import type { Awarded } from '../stores/award-emoji-store.js'
import type { Locked } from './awards.js'
import {
  type AwardParams,
  OfEpicNote,
  OfIssue,
  OfIssueNote,
  OfMergeRequest,
  OfMergeRequestNote,
  OfSnippet,
  OfSnippetNote,
} from './schema.js'

/** How an operation finds what has the emoji: to read them, or locked to change them. Throws 404 for an unknown one. */
export interface AwardableFinder {
  find: (database: Database) => Promise<Awarded>
  lock: (tx: Transaction) => Promise<Locked>
}

/** Differences between the kinds of objects that have emoji (API, G5). `Key` has the parameters that name the object. */
export interface Awardable<A extends Access, Key> {
  routes: Record<'list' | 'get' | 'create' | 'delete', Route>
  /** Noun phrase for summaries: `an issue`. */
  of: string
  access: A
  params: AwardParams
  finder: (call: Call<A, Key>) => AwardableFinder
}

type ByNote = { note_id: number }

export const ISSUE: Awardable<'read_issues', ByIssue> = {
  routes: {
    list: 'GET /projects/:id/issues/:issue_iid/award_emoji',
    get: 'GET /projects/:id/issues/:issue_iid/award_emoji/:award_id',
    create: 'POST /projects/:id/issues/:issue_iid/award_emoji',
    delete: 'DELETE /projects/:id/issues/:issue_iid/award_emoji/:award_id',
  },
  of: 'an issue',
  access: 'read_issues',
  params: OfIssue,
  finder: (call) => issueAwards(call, call.params.issue_iid),
}

export const MERGE_REQUEST: Awardable<'read_merge_requests', ByMergeRequest> = {
  routes: {
    list: 'GET /projects/:id/merge_requests/:merge_request_iid/award_emoji',
    get: 'GET /projects/:id/merge_requests/:merge_request_iid/award_emoji/:award_id',
    create: 'POST /projects/:id/merge_requests/:merge_request_iid/award_emoji',
    delete: 'DELETE /projects/:id/merge_requests/:merge_request_iid/award_emoji/:award_id',
  },
  of: 'a merge request',
  access: 'read_merge_requests',
  params: OfMergeRequest,
  finder: (call) => mergeRequestAwards(call, call.params.merge_request_iid),
}

export const SNIPPET: Awardable<'read_snippets', BySnippet> = {
  routes: {
    list: 'GET /projects/:id/snippets/:snippet_id/award_emoji',
    get: 'GET /projects/:id/snippets/:snippet_id/award_emoji/:award_id',
    create: 'POST /projects/:id/snippets/:snippet_id/award_emoji',
    delete: 'DELETE /projects/:id/snippets/:snippet_id/award_emoji/:award_id',
  },
  of: 'a snippet',
  access: 'read_snippets',
  params: OfSnippet,
  finder: (call) => snippetAwards(call, call.params.snippet_id),
}

export const ISSUE_NOTE: Awardable<'read_issues', ByIssue & ByNote> = {
  routes: {
    list: 'GET /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji',
    get: 'GET /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji/:award_id',
    create: 'POST /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji',
    delete: 'DELETE /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji/:award_id',
  },
  of: 'a note of an issue',
  access: 'read_issues',
  params: OfIssueNote,
  finder: (call) => noteAwards(issueFinder(call, call.params.issue_iid), call.params.note_id),
}

export const MERGE_REQUEST_NOTE: Awardable<'read_merge_requests', ByMergeRequest & ByNote> = {
  routes: {
    list: 'GET /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji',
    get: 'GET /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji/:award_id',
    create: 'POST /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji',
    delete: 'DELETE /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji/:award_id',
  },
  of: 'a note of a merge request',
  access: 'read_merge_requests',
  params: OfMergeRequestNote,
  finder: (call) => noteAwards(mergeRequestFinder(call, call.params.merge_request_iid), call.params.note_id),
}

export const SNIPPET_NOTE: Awardable<'read_snippets', BySnippet & ByNote> = {
  routes: {
    list: 'GET /projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji',
    get: 'GET /projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji/:award_id',
    create: 'POST /projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji',
    delete: 'DELETE /projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji/:award_id',
  },
  of: 'a note of a snippet',
  access: 'read_snippets',
  params: OfSnippetNote,
  finder: (call) => noteAwards(snippetFinder(call, call.params.snippet_id), call.params.note_id),
}

export const EPIC_NOTE: Awardable<'read_epics', ByEpic & ByNote> = {
  routes: {
    list: 'GET /groups/:id/epics/:epic_id/notes/:note_id/award_emoji',
    get: 'GET /groups/:id/epics/:epic_id/notes/:note_id/award_emoji/:award_id',
    create: 'POST /groups/:id/epics/:epic_id/notes/:note_id/award_emoji',
    delete: 'DELETE /groups/:id/epics/:epic_id/notes/:note_id/award_emoji/:award_id',
  },
  of: 'a note of an epic',
  access: 'read_epics',
  params: OfEpicNote,
  finder: (call) => noteAwards(epicFinder(call, call.params.epic_id), call.params.note_id),
}

function issueAwards(caller: CallerInProject, iid: number): AwardableFinder {
  return {
    find: async (database) => ({ table: 'issue', id: (await requireIssue(database, caller, iid)).id }),
    lock: async (tx) => {
      const row = await lockTheIssue(tx, caller, iid)
      return {
        awarded: { table: 'issue', id: row.id },
        isAllowed: isOpenTo(caller, row),
        hooked: { projectId: row.project_id, on: { type: 'Issue', row } },
      }
    },
  }
}

function mergeRequestAwards(caller: CallerInProject, iid: number): AwardableFinder {
  return {
    find: async (database) => ({
      table: 'merge_request',
      id: (await requireMergeRequest(database, caller, iid)).id,
    }),
    lock: async (tx) => {
      const row = await lockTheMergeRequest(tx, caller, iid)
      return {
        awarded: { table: 'merge_request', id: row.id },
        isAllowed: isOpenTo(caller, row),
        hooked: { projectId: row.project_id, on: { type: 'MergeRequest', row } },
      }
    },
  }
}

/** In a locked discussion only members give emoji. */
function isOpenTo(
  { membership }: CallerInProject,
  { discussion_locked }: { discussion_locked: boolean | null },
): boolean {
  return !discussion_locked || membership >= ACCESS_LEVELS.guest
}

/** A snippet is not locked: its emoji change nothing of it. */
function snippetAwards(caller: CallerInProject, id: number): AwardableFinder {
  return {
    find: async (database) => ({ table: 'snippet', id: (await requireSnippet(database, caller, id)).id }),
    lock: async (tx) => {
      const row = await requireSnippet(tx, caller, id)
      return {
        awarded: { table: 'snippet', id: row.id },
        isAllowed: true,
        hooked: { projectId: caller.project.id, on: { type: 'Snippet', row } },
      }
    },
  }
}

/** A note that the caller sees. Those who may comment may give it an emoji. */
function noteAwards(finder: NoteableFinder, id: number): AwardableFinder {
  return {
    find: async (database) => ({
      table: 'note',
      id: (await requireNote(database, await finder.find(database), id)).id,
    }),
    lock: async (tx) => {
      const on = await finder.lock(tx)
      const note = await requireNote(tx, on, id)
      return {
        awarded: { table: 'note', id: note.id },
        isAllowed: on.rights.comment && !note.system,
        hooked:
          on.type === 'Epic' || on.type === 'Commit' ? undefined : { projectId: on.project.id, on, note },
      }
    },
  }
}
