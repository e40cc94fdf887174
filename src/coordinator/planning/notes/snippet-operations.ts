import { Type } from 'typebox'

import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { signedIn } from '../../http/viewer.js'
import { snippetFinder } from './find-noteable.js'
import { deleteNote, editNote, requireNote } from './note-changes.js'
import { addComment, listedNotes } from './notes.js'
import { Note, type NoteDeps, oneNote } from './present-note.js'
import { OfSnippet } from './schema.js'

/** Notes of snippets (API, G1). */
export function snippetNoteOperations(deps: NoteDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /projects/:id/snippets/:snippet_id/notes', {
      summary: 'List the notes of a snippet',
      access: 'read_snippets',
      params: OfSnippet.list,
      responses: { 200: Type.Array(Note) },
      paginated: true,
      run: async (call) =>
        listedNotes(
          deps,
          await snippetFinder(call, call.params.snippet_id).find(database),
          call.params,
          call.paging,
        ),
    }),
    operation('GET /projects/:id/snippets/:snippet_id/notes/:note_id', {
      summary: 'Get a note of a snippet',
      access: 'read_snippets',
      params: OfSnippet.one,
      responses: { 200: Note },
      run: async (call) => {
        const on = await snippetFinder(call, call.params.snippet_id).find(database)
        return oneNote(deps, on, await requireNote(database, on, call.params.note_id))
      },
    }),
    operation('POST /projects/:id/snippets/:snippet_id/notes', {
      summary: 'Comment on a snippet',
      access: 'read_snippets',
      params: OfSnippet.create,
      responses: { 201: Note },
      run: async (call) => {
        const { snippet_id, ...comment } = call.params
        const { lock } = snippetFinder(call, snippet_id)
        const row = await addComment(deps, lock, signedIn(call.user), comment)
        return oneNote(deps, await snippetFinder(call, snippet_id).find(database), row)
      },
    }),
    operation('PUT /projects/:id/snippets/:snippet_id/notes/:note_id', {
      summary: 'Update a note of a snippet',
      access: 'read_snippets',
      params: OfSnippet.edit,
      responses: { 200: Note },
      run: async (call) => {
        const { snippet_id, note_id, body } = call.params
        const { lock } = snippetFinder(call, snippet_id)
        const row = await editNote(database, lock, signedIn(call.user), note_id, body)
        return oneNote(deps, await snippetFinder(call, snippet_id).find(database), row)
      },
    }),
    operation('DELETE /projects/:id/snippets/:snippet_id/notes/:note_id', {
      summary: 'Delete a note of a snippet',
      access: 'read_snippets',
      params: OfSnippet.one,
      responses: { 204: NoBody },
      modifiedAt: async (call) => {
        const on = await snippetFinder(call, call.params.snippet_id).find(database)
        return (await requireNote(database, on, call.params.note_id)).updated_at
      },
      run: async (call) => {
        const { snippet_id, note_id } = call.params
        const { lock } = snippetFinder(call, snippet_id)
        await deleteNote(database, lock, signedIn(call.user), note_id)
        return respond(204)
      },
    }),
  ]
}
