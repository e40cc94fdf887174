import { Type } from 'typebox'

import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { signedIn } from '../../http/viewer.js'
import { epicFinder } from './find-noteable.js'
import { deleteNote, editNote, requireNote } from './note-changes.js'
import { addComment, listedNotes } from './notes.js'
import { Note, type NoteDeps, oneNote } from './present-note.js'
import { OfEpic } from './schema.js'

/** Notes of epics (API, G1). */
export function epicNoteOperations(deps: NoteDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /groups/:id/epics/:epic_id/notes', {
      summary: 'List the notes of an epic',
      access: 'read_epics',
      params: OfEpic.list,
      responses: { 200: Type.Array(Note) },
      paginated: true,
      run: async (call) =>
        listedNotes(
          deps,
          await epicFinder(call, call.params.epic_id).find(database),
          call.params,
          call.paging,
        ),
    }),
    operation('GET /groups/:id/epics/:epic_id/notes/:note_id', {
      summary: 'Get a note of an epic',
      access: 'read_epics',
      params: OfEpic.one,
      responses: { 200: Note },
      run: async (call) => {
        const on = await epicFinder(call, call.params.epic_id).find(database)
        return oneNote(deps, on, await requireNote(database, on, call.params.note_id))
      },
    }),
    operation('POST /groups/:id/epics/:epic_id/notes', {
      summary: 'Comment on an epic',
      access: 'read_epics',
      params: OfEpic.create,
      responses: { 201: Note },
      run: async (call) => {
        const { epic_id, ...comment } = call.params
        const { lock } = epicFinder(call, epic_id)
        const row = await addComment(deps, lock, signedIn(call.user), comment)
        return oneNote(deps, await epicFinder(call, epic_id).find(database), row)
      },
    }),
    operation('PUT /groups/:id/epics/:epic_id/notes/:note_id', {
      summary: 'Update a note of an epic',
      access: 'read_epics',
      params: OfEpic.edit,
      responses: { 200: Note },
      run: async (call) => {
        const { epic_id, note_id, body } = call.params
        const { lock } = epicFinder(call, epic_id)
        const row = await editNote(database, lock, signedIn(call.user), note_id, body)
        return oneNote(deps, await epicFinder(call, epic_id).find(database), row)
      },
    }),
    operation('DELETE /groups/:id/epics/:epic_id/notes/:note_id', {
      summary: 'Delete a note of an epic',
      access: 'read_epics',
      params: OfEpic.one,
      responses: { 204: NoBody },
      modifiedAt: async (call) => {
        const on = await epicFinder(call, call.params.epic_id).find(database)
        return (await requireNote(database, on, call.params.note_id)).updated_at
      },
      run: async (call) => {
        const { epic_id, note_id } = call.params
        const { lock } = epicFinder(call, epic_id)
        await deleteNote(database, lock, signedIn(call.user), note_id)
        return respond(204)
      },
    }),
  ]
}
