import { Type } from 'typebox'

import type { Repositories } from '../../hosting/repositories/repositories.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { signedIn } from '../../http/viewer.js'
import { type CommandRunner, CommandsApplied } from '../commands.js'
import { suggestionsIn } from '../suggestions/suggestions-in.js'
import { commentWithCommands } from './command-notes.js'
import { mergeRequestFinder } from './find-noteable.js'
import { deleteNote, editNote, requireNote } from './note-changes.js'
import { addComment, listedNotes } from './notes.js'
import { Note, type NoteDeps, oneNote } from './present-note.js'
import { OfMergeRequest } from './schema.js'

export interface MergeRequestNoteDeps extends NoteDeps {
  repositories: Pick<Repositories, 'readFile'>
  commands: CommandRunner
}

/** Notes of merge requests (API, G1). */
export function mergeRequestNoteOperations(deps: MergeRequestNoteDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /projects/:id/merge_requests/:merge_request_iid/notes', {
      summary: 'List the notes of a merge request',
      access: 'read_merge_requests',
      params: OfMergeRequest.list,
      responses: { 200: Type.Array(Note) },
      paginated: true,
      run: async (call) =>
        listedNotes(
          deps,
          await mergeRequestFinder(call, call.params.merge_request_iid).find(database),
          call.params,
          call.paging,
        ),
    }),
    operation('GET /projects/:id/merge_requests/:merge_request_iid/notes/:note_id', {
      summary: 'Get a note of a merge request',
      access: 'read_merge_requests',
      params: OfMergeRequest.one,
      responses: { 200: Note },
      run: async (call) => {
        const on = await mergeRequestFinder(call, call.params.merge_request_iid).find(database)
        return oneNote(deps, on, await requireNote(database, on, call.params.note_id))
      },
    }),
    operation('POST /projects/:id/merge_requests/:merge_request_iid/notes', {
      summary: 'Comment on a merge request',
      access: 'read_merge_requests',
      params: OfMergeRequest.create,
      responses: { 201: Note, 202: CommandsApplied },
      run: async (call) => {
        const { merge_request_iid, ...comment } = call.params
        const finder = mergeRequestFinder(call, merge_request_iid)
        return commentWithCommands(deps, finder, signedIn(call.user), comment, {
          add: (text, user) => addComment(deps, finder.lock, user, text),
          run: (commands) => deps.commands.onMergeRequest(call, merge_request_iid, commands),
        })
      },
    }),
    operation('PUT /projects/:id/merge_requests/:merge_request_iid/notes/:note_id', {
      summary: 'Update a note of a merge request',
      access: 'read_merge_requests',
      params: OfMergeRequest.edit,
      responses: { 200: Note },
      run: async (call) => {
        const { merge_request_iid, note_id, body } = call.params
        const finder = mergeRequestFinder(call, merge_request_iid)
        const user = signedIn(call.user)
        const { position } = await requireNote(database, await finder.find(database), note_id)
        const suggestions = await suggestionsIn(deps.repositories, call.project.id, position, body)
        const row = await editNote(database, finder.lock, user, note_id, body, suggestions)
        return oneNote(deps, await finder.find(database), row)
      },
    }),
    operation('DELETE /projects/:id/merge_requests/:merge_request_iid/notes/:note_id', {
      summary: 'Delete a note of a merge request',
      access: 'read_merge_requests',
      params: OfMergeRequest.one,
      responses: { 204: NoBody },
      modifiedAt: async (call) => {
        const on = await mergeRequestFinder(call, call.params.merge_request_iid).find(database)
        return (await requireNote(database, on, call.params.note_id)).updated_at
      },
      run: async (call) => {
        const { merge_request_iid, note_id } = call.params
        const { lock } = mergeRequestFinder(call, merge_request_iid)
        await deleteNote(database, lock, signedIn(call.user), note_id)
        return respond(204)
      },
    }),
  ]
}
