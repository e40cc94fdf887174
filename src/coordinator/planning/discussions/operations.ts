import { Type } from 'typebox'

import type { Access } from '../../access/permissions.js'
import type { NotePosition } from '../../database/tables/notes.js'
import type { Repositories } from '../../hosting/repositories/repositories.js'
import { requireCommit } from '../../hosting/repositories/revisions.js'
import { clientGone } from '../../http/client-gone.js'
import { type Call, NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { signedIn, viewerOf } from '../../http/viewer.js'
import { requireMergeRequest } from '../access/merge-request-access.js'
import { commitFinder, type NoteableFinder } from '../notes/find-noteable.js'
import { deleteNote, editNote } from '../notes/note-changes.js'
import { EPIC, ISSUE, MERGE_REQUEST, type NoteableKind, SNIPPET } from '../notes/noteable-kinds.js'
import { Note, type NoteDeps, oneNote } from '../notes/present-note.js'
import type { NewSuggestion } from '../suggestions/suggestion-store.js'
import { suggestionsIn } from '../suggestions/suggestions-in.js'
import {
  listedDiscussions,
  noteIn,
  oneDiscussion,
  reply,
  requireThread,
  startDiscussion,
} from './discussions.js'
import { mergeRequestThreadOperations } from './merge-request-operations.js'
import { checkCommitPosition, type CheckedPosition, checkPosition } from './position.js'
import {
  Discussion,
  type DiscussionParams,
  type GivenPosition,
  OfCommit,
  OfEpic,
  OfIssue,
  OfMergeRequest,
  OfSnippet,
} from './schema.js'

export interface DiscussionDeps extends NoteDeps {
  repositories: Pick<Repositories, 'reading' | 'readFile' | 'resolveCommit'>
}

interface NewDiscussion {
  body: string
  created_at?: string
  /** For comments on lines, where the kind has them. */
  position?: GivenPosition
}

/** What belongs to comments on lines. */
interface OnLines<A extends Access, Key> {
  /** Throws 400 for a position that is not in the diff. */
  check: (call: Call<A, Key>, position: GivenPosition) => Promise<CheckedPosition>
  /** Finds the changes that the text of a comment suggests. */
  suggestions?: (call: Call<A, Key>, position: NotePosition | null, body: string) => Promise<NewSuggestion[]>
}

/** Discussions of issues, merge requests, epics, snippets and commits (API, G2). */
export function discussionOperations(deps: DiscussionDeps): Operation[] {
  const { repositories } = deps
  const commit: NoteableKind<'read_code', { sha: string }> = {
    path: '/projects/:id/repository/commits/:sha',
    of: 'a commit',
    access: 'read_code',
    finder: (call) => commitFinder(repositories, call, call.params.sha),
  }
  const onLinesOfCommit: OnLines<'read_code', { sha: string }> = {
    check: async ({ project, params, reply }, position) => {
      const reading = repositories.reading(project.id, clientGone(reply))
      const sha = await requireCommit(repositories, project, params.sha)
      return checkCommitPosition(repositories, reading, { projectId: project.id, sha }, position)
    },
  }
  const onLinesOfMergeRequest: OnLines<'read_merge_requests', { merge_request_iid: number }> = {
    check: async (call, position) => {
      const row = await requireMergeRequest(deps.database, call, call.params.merge_request_iid)
      return checkPosition(deps, repositories.reading(call.project.id, clientGone(call.reply)), row, position)
    },
    suggestions: ({ project }, position, body) => suggestionsIn(repositories, project.id, position, body),
  }
  return [
    ...threadOperations(deps, ISSUE, OfIssue),
    ...editOperations(deps, ISSUE, OfIssue.edit),
    ...threadOperations(deps, MERGE_REQUEST, OfMergeRequest, onLinesOfMergeRequest),
    ...mergeRequestThreadOperations(deps),
    ...threadOperations(deps, EPIC, OfEpic),
    ...editOperations(deps, EPIC, OfEpic.edit),
    ...threadOperations(deps, SNIPPET, OfSnippet),
    ...editOperations(deps, SNIPPET, OfSnippet.edit),
    ...threadOperations(deps, commit, OfCommit, onLinesOfCommit),
    ...editOperations(deps, commit, OfCommit.edit),
  ]
}

function threadOperations<A extends Access, Key>(
  deps: NoteDeps,
  { path, of, access, ...kind }: NoteableKind<A, Key>,
  params: Omit<DiscussionParams, 'edit'>,
  onLines?: OnLines<A, Key>,
): Operation[] {
  const { database } = deps
  // All of `params` have the parameters that name the object.
  const named = (call: Call<A, unknown>) => call as Call<A, Key>
  const finder = (call: Call<A, unknown>): NoteableFinder => kind.finder(named(call))
  return [
    operation(`GET ${path}/discussions`, {
      summary: `List the discussions of ${of}`,
      access,
      params: params.list,
      responses: { 200: Type.Array(Discussion) },
      paginated: true,
      run: async (call) => listedDiscussions(deps, await finder(call).find(database), call.paging),
    }),
    operation(`GET ${path}/discussions/:discussion_id`, {
      summary: `Get a discussion of ${of}`,
      access,
      params: params.one,
      responses: { 200: Discussion },
      run: async (call) => oneDiscussion(deps, await finder(call).find(database), call.params.discussion_id),
    }),
    operation(`POST ${path}/discussions`, {
      summary: `Start a discussion of ${of}`,
      access,
      params: params.create,
      responses: { 201: Discussion },
      run: async (call) => {
        const { body, created_at: createdAt, position }: NewDiscussion = call.params
        const user = signedIn(viewerOf(call.caller))
        const checked = onLines && position && (await onLines.check(named(call), position))
        const suggestions = await onLines?.suggestions?.(named(call), checked?.position ?? null, body)
        const text = { body, createdAt, ...(suggestions && { suggestions }) }
        return startDiscussion(deps, finder(call), user, text, checked)
      },
    }),
    operation(`GET ${path}/discussions/:discussion_id/notes`, {
      summary: `List the notes of a discussion of ${of}`,
      access,
      params: params.one,
      responses: { 200: Type.Array(Note) },
      run: async (call) => {
        const on = await finder(call).find(database)
        return (await oneDiscussion(deps, on, call.params.discussion_id)).notes
      },
    }),
    operation(`GET ${path}/discussions/:discussion_id/notes/:note_id`, {
      summary: `Get a note of a discussion of ${of}`,
      access,
      params: params.note,
      responses: { 200: Note },
      run: async (call) => {
        const on = await finder(call).find(database)
        return oneNote(deps, on, await noteIn(database, on, call.params))
      },
    }),
    operation(`POST ${path}/discussions/:discussion_id/notes`, {
      summary: `Reply to a discussion of ${of}`,
      access,
      params: params.reply,
      responses: { 201: Note },
      run: async (call) => {
        const { discussion_id, body, created_at: createdAt } = call.params
        const { find, lock } = finder(call)
        const user = signedIn(viewerOf(call.caller))
        const [first] = await requireThread(database, await find(database), discussion_id)
        const suggestions = await onLines?.suggestions?.(named(call), first.position, body)
        const text = { discussion_id, body, createdAt, ...(suggestions && { suggestions }) }
        const row = await reply(database, { find, lock }, user, text)
        return oneNote(deps, await find(database), row)
      },
    }),
    operation(`DELETE ${path}/discussions/:discussion_id/notes/:note_id`, {
      summary: `Delete a note of a discussion of ${of}`,
      access,
      params: params.note,
      responses: { 204: NoBody },
      modifiedAt: async (call) => {
        const on = await finder(call).find(database)
        return (await noteIn(database, on, call.params)).updated_at
      },
      run: async (call) => {
        const { find, lock } = finder(call)
        await noteIn(database, await find(database), call.params)
        await deleteNote(database, lock, signedIn(viewerOf(call.caller)), call.params.note_id)
        return respond(204)
      },
    }),
  ]
}

function editOperations<A extends Access, Key>(
  deps: NoteDeps,
  { path, of, access, ...kind }: NoteableKind<A, Key>,
  params: DiscussionParams['edit'],
): Operation[] {
  const { database } = deps
  const finder = (call: Call<A, unknown>): NoteableFinder => kind.finder(call as Call<A, Key>)
  return [
    operation(`PUT ${path}/discussions/:discussion_id/notes/:note_id`, {
      summary: `Update a note of a discussion of ${of}`,
      access,
      params,
      responses: { 200: Note },
      run: async (call) => {
        const { find, lock } = finder(call)
        await noteIn(database, await find(database), call.params)
        const { note_id, body } = call.params
        const row = await editNote(database, lock, signedIn(viewerOf(call.caller)), note_id, body)
        return oneNote(deps, await find(database), row)
      },
    }),
  ]
}
