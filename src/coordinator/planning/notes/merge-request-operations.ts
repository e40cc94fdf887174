import { Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import type { Transaction } from '../../database/transaction.js'
import { answer, NoBody, type Operation, operation } from '../../http/operation.js'
import { signedIn } from '../../http/viewer.js'
import type { Place } from '../issue-access.js'
import { lockTheMergeRequest, theMergeRequest } from '../merge-request-access.js'
import { deleteNote, editNote, theNote } from '../note-changes.js'
import { mergeRequestNotes, type Noteable } from '../noteable.js'
import { Note, type NoteDeps } from '../present-note.js'
import { addComment, listedNotes, oneNote } from './notes.js'
import { OfMergeRequest } from './schema.js'

/** Notes of merge requests (API, G1). */
export function mergeRequestNoteOperations(deps: NoteDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /projects/:id/merge_requests/:merge_request_iid/notes', {
      summary: 'List the notes of a merge request',
      access: 'read_merge_requests',
      params: OfMergeRequest.list,
      answers: { 200: Type.Array(Note) },
      paginated: true,
      run: async (call) =>
        listedNotes(
          deps,
          await noteable(database, call, call.params.merge_request_iid),
          call.params,
          call.paging,
        ),
    }),
    operation('GET /projects/:id/merge_requests/:merge_request_iid/notes/:note_id', {
      summary: 'Get a note of a merge request',
      access: 'read_merge_requests',
      params: OfMergeRequest.one,
      answers: { 200: Note },
      run: async (call) => {
        const on = await noteable(database, call, call.params.merge_request_iid)
        return oneNote(deps, on, await theNote(database, on, call.params.note_id))
      },
    }),
    operation('POST /projects/:id/merge_requests/:merge_request_iid/notes', {
      summary: 'Comment on a merge request',
      access: 'read_merge_requests',
      params: OfMergeRequest.create,
      answers: { 201: Note },
      run: async (call) => {
        const { merge_request_iid, ...comment } = call.params
        const lock = (tx: Transaction) => locked(tx, call, merge_request_iid)
        const row = await addComment(deps, lock, signedIn(call.user), comment)
        return oneNote(deps, await noteable(database, call, merge_request_iid), row)
      },
    }),
    operation('PUT /projects/:id/merge_requests/:merge_request_iid/notes/:note_id', {
      summary: 'Update a note of a merge request',
      access: 'read_merge_requests',
      params: OfMergeRequest.edit,
      answers: { 200: Note },
      run: async (call) => {
        const { merge_request_iid, note_id, body } = call.params
        const lock = (tx: Transaction) => locked(tx, call, merge_request_iid)
        const row = await editNote(database, lock, signedIn(call.user), note_id, body)
        return oneNote(deps, await noteable(database, call, merge_request_iid), row)
      },
    }),
    operation('DELETE /projects/:id/merge_requests/:merge_request_iid/notes/:note_id', {
      summary: 'Delete a note of a merge request',
      access: 'read_merge_requests',
      params: OfMergeRequest.one,
      answers: { 204: NoBody },
      modifiedAt: async (call) => {
        const on = await noteable(database, call, call.params.merge_request_iid)
        return (await theNote(database, on, call.params.note_id)).updated_at
      },
      run: async (call) => {
        const { merge_request_iid, note_id } = call.params
        const lock = (tx: Transaction) => locked(tx, call, merge_request_iid)
        await deleteNote(database, lock, signedIn(call.user), note_id)
        return answer(204)
      },
    }),
  ]
}

async function noteable(database: Database, place: Place, iid: number): Promise<Noteable> {
  return mergeRequestNotes(place, await theMergeRequest(database, place, iid))
}

async function locked(tx: Transaction, place: Place, iid: number): Promise<Noteable> {
  return mergeRequestNotes(place, await lockTheMergeRequest(tx, place, iid))
}
