import { Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import type { Transaction } from '../../database/transaction.js'
import { type EpicRow, findEpicById, lockEpic } from '../../hosting/epic-store.js'
import { notFound } from '../../http/errors.js'
import { answer, NoBody, type Operation, operation } from '../../http/operation.js'
import { signedIn } from '../../http/viewer.js'
import { deleteNote, editNote, theNote } from '../note-changes.js'
import { epicNotes, type Noteable } from '../noteable.js'
import { Note, type NoteDeps } from '../present-note.js'
import { addComment, listedNotes, oneNote } from './notes.js'
import { OfEpic } from './schema.js'

/** Notes of epics (API, G1). */
export function epicNoteOperations(deps: NoteDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /groups/:id/epics/:epic_id/notes', {
      summary: 'List the notes of an epic',
      access: 'read_epics',
      params: OfEpic.list,
      answers: { 200: Type.Array(Note) },
      paginated: true,
      run: async (call) =>
        listedNotes(deps, await noteable(database, call, call.params.epic_id), call.params, call.paging),
    }),
    operation('GET /groups/:id/epics/:epic_id/notes/:note_id', {
      summary: 'Get a note of an epic',
      access: 'read_epics',
      params: OfEpic.one,
      answers: { 200: Note },
      run: async (call) => {
        const on = await noteable(database, call, call.params.epic_id)
        return oneNote(deps, on, await theNote(database, on, call.params.note_id))
      },
    }),
    operation('POST /groups/:id/epics/:epic_id/notes', {
      summary: 'Comment on an epic',
      access: 'read_epics',
      params: OfEpic.create,
      answers: { 201: Note },
      run: async (call) => {
        const { epic_id, ...comment } = call.params
        const lock = (tx: Transaction) => locked(tx, call, epic_id)
        const row = await addComment(deps, lock, signedIn(call.user), comment)
        return oneNote(deps, await noteable(database, call, epic_id), row)
      },
    }),
    operation('PUT /groups/:id/epics/:epic_id/notes/:note_id', {
      summary: 'Update a note of an epic',
      access: 'read_epics',
      params: OfEpic.edit,
      answers: { 200: Note },
      run: async (call) => {
        const { epic_id, note_id, body } = call.params
        const lock = (tx: Transaction) => locked(tx, call, epic_id)
        const row = await editNote(database, lock, signedIn(call.user), note_id, body)
        return oneNote(deps, await noteable(database, call, epic_id), row)
      },
    }),
    operation('DELETE /groups/:id/epics/:epic_id/notes/:note_id', {
      summary: 'Delete a note of an epic',
      access: 'read_epics',
      params: OfEpic.one,
      answers: { 204: NoBody },
      modifiedAt: async (call) => {
        const on = await noteable(database, call, call.params.epic_id)
        return (await theNote(database, on, call.params.note_id)).updated_at
      },
      run: async (call) => {
        const { epic_id, note_id } = call.params
        const lock = (tx: Transaction) => locked(tx, call, epic_id)
        await deleteNote(database, lock, signedIn(call.user), note_id)
        return answer(204)
      },
    }),
  ]
}

type Place = Parameters<typeof epicNotes>[0]

/** Throws 404 for an unknown epic. */
async function noteable(database: Database, place: Place, id: number): Promise<Noteable> {
  return noteableOf(place, await findEpicById(database, place.group.id, id))
}

async function locked(tx: Transaction, place: Place, id: number): Promise<Noteable> {
  return noteableOf(place, await lockEpic(tx, place.group.id, id))
}

function noteableOf(place: Place, row: EpicRow | undefined): Noteable {
  if (!row) throw notFound()
  return epicNotes(place, row)
}
