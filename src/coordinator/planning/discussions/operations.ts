import { Type } from 'typebox'

import type { Access } from '../../access/permissions.js'
import type { NotePosition } from '../../database/tables/notes.js'
import { readingFor } from '../../hosting/repositories/reading-for.js'
import type { Repositories } from '../../hosting/repositories/repositories.js'
import { requireCommit } from '../../hosting/repositories/revisions.js'
import { type Call, NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { signedIn, viewerOf } from '../../http/viewer.js'
import { requireMergeRequest } from '../access/merge-request-access.js'
import type { NoteableFinder } from '../notes/find-noteable.js'
import { deleteNote, editNote } from '../notes/note-changes.js'
import type { ByMergeRequest } from '../notes/noteable-kinds.js'
import { Note, type NoteDeps, oneNote } from '../notes/present-note.js'
import type { NewSuggestion } from '../suggestions/suggestion-store.js'
import { suggestionsIn } from '../suggestions/suggestions-in.js'
import {
  commitDiscussions,
  type DiscussedKind,
  EPIC_DISCUSSIONS,
  ISSUE_DISCUSSIONS,
  MERGE_REQUEST_DISCUSSIONS,
  SNIPPET_DISCUSSIONS,
} from './discussed-kinds.js'
import {
  type DetailDeps,
  listedDiscussions,
  noteIn,
  oneDiscussion,
  reply,
  requireThread,
  startDiscussion,
} from './discussions.js'
import { checkCommitPosition, type CheckedPosition, checkPosition } from './position.js'
import { resolvingOperations } from './resolving-operations.js'
import {
  Discussion,
  type EditParams,
  type GivenPosition,
  OfCommit,
  OfEpic,
  OfIssue,
  OfSnippet,
} from './schema.js'

interface DiscussionDeps extends DetailDeps {
  repositories: Pick<Repositories, 'reading' | 'readFile' | 'resolveCommit'>
}

interface NewDiscussion {
  body: string
  created_at?: string
  /** For comments on lines, where the kind has them. */
  position?: GivenPosition
}

/** Comments on the lines of a diff. */
interface OnLines<A extends Access, Key> {
  /** Throws 404 for an unknown object, and 400 for a position that is not in the diff. */
  check: (call: Call<A, Key>, position: GivenPosition | undefined) => Promise<CheckedPosition | undefined>
  /** Finds the changes that the text of a comment suggests. */
  suggestions?: (call: Call<A, Key>, position: NotePosition | null, body: string) => Promise<NewSuggestion[]>
}

/** Discussions of issues, merge requests, epics, snippets and commits (API, G2). */
export function discussionOperations(deps: DiscussionDeps): Operation[] {
  const commits = commitDiscussions(deps.repositories)
  return [
    ...operationsOn(deps, ISSUE_DISCUSSIONS, [editOperation(deps, ISSUE_DISCUSSIONS, OfIssue.edit)]),
    ...operationsOn(deps, MERGE_REQUEST_DISCUSSIONS, resolvingOperations(deps), onLinesOfMergeRequest(deps)),
    ...operationsOn(deps, EPIC_DISCUSSIONS, [editOperation(deps, EPIC_DISCUSSIONS, OfEpic.edit)]),
    ...operationsOn(deps, SNIPPET_DISCUSSIONS, [editOperation(deps, SNIPPET_DISCUSSIONS, OfSnippet.edit)]),
    ...operationsOn(deps, commits, [editOperation(deps, commits, OfCommit.edit)], onLinesOfCommit(deps)),
  ]
}

function onLinesOfMergeRequest(deps: DiscussionDeps): OnLines<'read_merge_requests', ByMergeRequest> {
  const { database, repositories } = deps
  return {
    check: async (call, position) => {
      // Before the merge request is looked for: without a user, the response is 401 in any case.
      signedIn(call.user)
      const row = await requireMergeRequest(database, call, call.params.merge_request_iid)
      const reading = readingFor({ repositories }, call)
      return position && checkPosition(deps, reading, row, position)
    },
    suggestions: ({ project }, position, body) => suggestionsIn(repositories, project.id, position, body),
  }
}

function onLinesOfCommit({ repositories }: DiscussionDeps): OnLines<'read_code', { sha: string }> {
  return {
    check: async ({ project, params, reply: response }, position) => {
      const sha = await requireCommit(repositories, project, params.sha)
      const reading = readingFor({ repositories }, { project, reply: response })
      return position && checkCommitPosition(repositories, reading, { projectId: project.id, sha }, position)
    },
  }
}

/** `edits`: those of notes and of discussions. */
function operationsOn<A extends Access, Key>(
  deps: DetailDeps,
  kind: DiscussedKind<A, Key>,
  edits: readonly Operation[],
  onLines?: OnLines<A, Key>,
): Operation[] {
  const { database } = deps
  const { routes, of, access, params } = kind
  // All of `params` have the parameters that name the object.
  const named = (call: Call<A, unknown>) => call as Call<A, Key>
  const finder = (call: Call<A, unknown>): NoteableFinder => kind.finder(named(call))
  return [
    operation(routes.list, {
      summary: `List the discussions of ${of}`,
      access,
      params: params.list,
      responses: { 200: Type.Array(Discussion) },
      paginated: true,
      run: async (call) =>
        listedDiscussions(deps, await finder(call).find(database), call.paging, call.params),
    }),
    operation(routes.get, {
      summary: `Get a discussion of ${of}`,
      access,
      params: params.one,
      responses: { 200: Discussion },
      run: async (call) => oneDiscussion(deps, await finder(call).find(database), call.params.discussion_id),
    }),
    operation(routes.create, {
      summary: `Start a discussion of ${of}`,
      access,
      params: params.create,
      responses: { 201: Discussion },
      run: async (call) => {
        const { body, created_at: createdAt, position }: NewDiscussion = call.params
        const checked = await onLines?.check(named(call), position)
        const suggestions = await onLines?.suggestions?.(named(call), checked?.position ?? null, body)
        const user = signedIn(viewerOf(call.caller))
        return startDiscussion(deps, finder(call), user, { body, createdAt, suggestions }, checked)
      },
    }),
    operation(routes.listNotes, {
      summary: `List the notes of a discussion of ${of}`,
      access,
      params: params.one,
      responses: { 200: Type.Array(Note) },
      run: async (call) => {
        const on = await finder(call).find(database)
        return (await oneDiscussion(deps, on, call.params.discussion_id)).notes
      },
    }),
    operation(routes.getNote, {
      summary: `Get a note of a discussion of ${of}`,
      access,
      params: params.note,
      responses: { 200: Note },
      run: async (call) => {
        const on = await finder(call).find(database)
        return oneNote(deps, on, await noteIn(database, on, call.params))
      },
    }),
    operation(routes.reply, {
      summary: `Reply to a discussion of ${of}`,
      access,
      params: params.reply,
      responses: { 201: Note },
      run: async (call) => {
        const { discussion_id, body, created_at: createdAt } = call.params
        const { find, lock } = finder(call)
        const user = signedIn(viewerOf(call.caller))
        const suggestions = await suggestedIn(call, find)
        const row = await reply(database, { find, lock }, user, {
          discussion_id,
          body,
          createdAt,
          suggestions,
        })
        return oneNote(deps, await find(database), row)
      },
    }),
    ...edits,
    operation(routes.delete, {
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

  /** What a reply suggests for the lines that its discussion is about. */
  async function suggestedIn(
    call: Call<A, { discussion_id: string; body: string }>,
    find: NoteableFinder['find'],
  ): Promise<NewSuggestion[] | undefined> {
    if (!onLines?.suggestions) return undefined
    const { discussion_id, body } = call.params
    const [{ position }] = await requireThread(database, await find(database), discussion_id)
    return onLines.suggestions(named(call), position, body)
  }
}

function editOperation<A extends Access, Key>(
  deps: NoteDeps,
  { routes, of, access, ...kind }: DiscussedKind<A, Key>,
  params: EditParams,
): Operation {
  const { database } = deps
  return operation(routes.edit, {
    summary: `Update a note of a discussion of ${of}`,
    access,
    params,
    responses: { 200: Note },
    run: async (call) => {
      // `params` has the parameters that name the object.
      const { find, lock } = kind.finder(call as Call<A, unknown> as Call<A, Key>)
      await noteIn(database, await find(database), call.params)
      const { note_id, body } = call.params
      const row = await editNote(database, lock, signedIn(viewerOf(call.caller)), note_id, body)
      return oneNote(deps, await find(database), row)
    },
  })
}
