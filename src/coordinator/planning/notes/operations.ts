import { Type } from 'typebox'

import type { Access } from '../../access/permissions.js'
import type { NotePosition } from '../../database/tables/notes.js'
import type { Repositories } from '../../hosting/repositories/repositories.js'
import { agentOf } from '../../http/agent-calls.js'
import { type BaseCall, type Call, NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { signedIn, viewerOf } from '../../http/viewer.js'
import { type Command, type CommandResult, type CommandRunner, CommandsApplied } from '../commands.js'
import type { NewSuggestion } from '../suggestions/suggestion-store.js'
import { suggestionsIn } from '../suggestions/suggestions-in.js'
import { commentWithCommands } from './command-notes.js'
import type { NoteableFinder } from './find-noteable.js'
import { deleteNote, editNote, requireNote } from './note-changes.js'
import { EPIC, ISSUE, MERGE_REQUEST, type NotedKind, SNIPPET } from './noteable-kinds.js'
import { addComment, listedNotes } from './notes.js'
import { Note, type NoteDeps, oneNote } from './present-note.js'

interface NoteOperationDeps extends NoteDeps {
  repositories: Pick<Repositories, 'readFile'>
  commands: CommandRunner
}

/** What the text of a comment does, besides being shown. */
interface Effects<A extends Access, Key> {
  /** Applies the quick actions of the text. */
  run?: (call: Call<A, Key>, commands: readonly Command[]) => Promise<CommandResult>
  /** Finds the changes that the text of a comment on a line suggests. */
  suggestions?: (call: Call<A, Key>, position: NotePosition | null, body: string) => Promise<NewSuggestion[]>
}

/** Notes of issues, merge requests, epics and snippets (API, G1). */
export function noteOperations(deps: NoteOperationDeps): Operation[] {
  const { repositories, commands } = deps
  return [
    ...operationsOn(deps, ISSUE, {
      run: (call, list) => commands.onIssue(call, call.params.issue_iid, list),
    }),
    ...operationsOn(deps, MERGE_REQUEST, {
      run: (call, list) => commands.onMergeRequest(call, call.params.merge_request_iid, list),
      suggestions: ({ project }, position, body) => suggestionsIn(repositories, project.id, position, body),
    }),
    ...operationsOn(deps, EPIC),
    ...operationsOn(deps, SNIPPET),
  ]
}

/**
 * Whether quick actions in a comment are run. A program may comment for a user who does not know what text it has read
 * before: that must not merge or close anything.
 */
function mayRunCommands({ caller, request }: BaseCall<unknown>): boolean {
  return agentOf(caller, request) === undefined
}

function operationsOn<A extends Access, Key>(
  deps: NoteDeps,
  kind: NotedKind<A, Key>,
  { run, suggestions }: Effects<A, Key> = {},
): Operation[] {
  const { database } = deps
  const { routes, of, access, params, agentsMayComment } = kind
  // All of `params` have the parameters that name the object.
  const named = (call: Call<A, unknown>) => call as Call<A, Key>
  const finder = (call: Call<A, unknown>): NoteableFinder => kind.finder(named(call))
  return [
    operation(routes.list, {
      summary: `List the notes of ${of}`,
      access,
      params: params.list,
      responses: { 200: Type.Array(Note) },
      paginated: true,
      run: async (call) => listedNotes(deps, await finder(call).find(database), call.params, call.paging),
    }),
    operation(routes.get, {
      summary: `Get a note of ${of}`,
      access,
      params: params.one,
      responses: { 200: Note },
      run: async (call) => {
        const on = await finder(call).find(database)
        return oneNote(deps, on, await requireNote(database, on, call.params.note_id))
      },
    }),
    operation(routes.create, {
      summary: `Comment on ${of}`,
      access,
      ...(agentsMayComment && { scopes: ['mcp'] }),
      params: params.create,
      responses: run ? { 201: Note, 202: CommandsApplied } : { 201: Note },
      run: async (call) => {
        const { find, lock } = finder(call)
        const user = signedIn(viewerOf(call.caller))
        if (run && mayRunCommands(call)) {
          return commentWithCommands(deps, { find, lock }, call.params, {
            add: (comment) => addComment(deps, lock, user, comment),
            run: (commands) => run(named(call), commands),
          })
        }
        const row = await addComment(deps, lock, user, call.params)
        return oneNote(deps, await find(database), row)
      },
    }),
    operation(routes.edit, {
      summary: `Update a note of ${of}`,
      access,
      params: params.edit,
      responses: { 200: Note },
      run: async (call) => {
        const { note_id, body } = call.params
        const { find, lock } = finder(call)
        const user = signedIn(viewerOf(call.caller))
        const suggested =
          suggestions &&
          (await suggestions(
            named(call),
            (await requireNote(database, await find(database), note_id)).position,
            body,
          ))
        const row = await editNote(database, lock, user, note_id, body, suggested)
        return oneNote(deps, await find(database), row)
      },
    }),
    operation(routes.delete, {
      summary: `Delete a note of ${of}`,
      access,
      params: params.one,
      responses: { 204: NoBody },
      modifiedAt: async (call) => {
        const on = await finder(call).find(database)
        return (await requireNote(database, on, call.params.note_id)).updated_at
      },
      run: async (call) => {
        const { lock } = finder(call)
        await deleteNote(database, lock, signedIn(viewerOf(call.caller)), call.params.note_id)
        return respond(204)
      },
    }),
  ]
}
