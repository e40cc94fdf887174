import { Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import type { Transaction } from '../../database/transaction.js'
import { answer, NoBody, type Operation, operation } from '../../http/operation.js'
import { signedIn } from '../../http/viewer.js'
import { lockTheIssue, type Place, theIssue } from '../issue-access.js'
import { deleteNote, editNote, theNote } from '../note-changes.js'
import { issueNotes, type Noteable } from '../noteable.js'
import { Note, type NoteDeps } from '../present-note.js'
import { addComment, listedNotes, oneNote } from './notes.js'
import { OfIssue } from './schema.js'

/** Notes of issues (API, G1). */
export function issueNoteOperations(deps: NoteDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /projects/:id/issues/:issue_iid/notes', {
      summary: 'List the notes of an issue',
      access: 'read_issues',
      params: OfIssue.list,
      answers: { 200: Type.Array(Note) },
      paginated: true,
      run: async (call) =>
        listedNotes(deps, await noteable(database, call, call.params.issue_iid), call.params, call.paging),
    }),
    operation('GET /projects/:id/issues/:issue_iid/notes/:note_id', {
      summary: 'Get a note of an issue',
      access: 'read_issues',
      params: OfIssue.one,
      answers: { 200: Note },
      run: async (call) => {
        const on = await noteable(database, call, call.params.issue_iid)
        return oneNote(deps, on, await theNote(database, on, call.params.note_id))
      },
    }),
    operation('POST /projects/:id/issues/:issue_iid/notes', {
      summary: 'Comment on an issue',
      access: 'read_issues',
      params: OfIssue.create,
      answers: { 201: Note },
      run: async (call) => {
        const { issue_iid, ...comment } = call.params
        const lock = (tx: Transaction) => locked(tx, call, issue_iid)
        const row = await addComment(deps, lock, signedIn(call.user), comment)
        return oneNote(deps, await noteable(database, call, issue_iid), row)
      },
    }),
    operation('PUT /projects/:id/issues/:issue_iid/notes/:note_id', {
      summary: 'Update a note of an issue',
      access: 'read_issues',
      params: OfIssue.edit,
      answers: { 200: Note },
      run: async (call) => {
        const { issue_iid, note_id, body } = call.params
        const lock = (tx: Transaction) => locked(tx, call, issue_iid)
        const row = await editNote(database, lock, signedIn(call.user), note_id, body)
        return oneNote(deps, await noteable(database, call, issue_iid), row)
      },
    }),
    operation('DELETE /projects/:id/issues/:issue_iid/notes/:note_id', {
      summary: 'Delete a note of an issue',
      access: 'read_issues',
      params: OfIssue.one,
      answers: { 204: NoBody },
      modifiedAt: async (call) => {
        const on = await noteable(database, call, call.params.issue_iid)
        return (await theNote(database, on, call.params.note_id)).updated_at
      },
      run: async (call) => {
        const { issue_iid, note_id } = call.params
        const lock = (tx: Transaction) => locked(tx, call, issue_iid)
        await deleteNote(database, lock, signedIn(call.user), note_id)
        return answer(204)
      },
    }),
  ]
}

async function noteable(database: Database, place: Place, iid: number): Promise<Noteable> {
  return issueNotes(place, await theIssue(database, place, iid))
}

async function locked(tx: Transaction, place: Place, iid: number): Promise<Noteable> {
  return issueNotes(place, await lockTheIssue(tx, place, iid))
}
