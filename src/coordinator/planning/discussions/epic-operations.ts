import { Type } from 'typebox'

import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { signedIn } from '../../http/viewer.js'
import { epicFinder } from '../notes/find-noteable.js'
import { deleteNote, editNote } from '../notes/note-changes.js'
import { Note, type NoteDeps, oneNote } from '../notes/present-note.js'
import { listedDiscussions, noteIn, oneDiscussion, reply, startDiscussion } from './discussions.js'
import { Discussion, OfEpic } from './schema.js'

/** Discussions of epics (API, G2). */
export function epicDiscussionOperations(deps: NoteDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /groups/:id/epics/:epic_id/discussions', {
      summary: 'List the discussions of an epic',
      access: 'read_epics',
      params: OfEpic.list,
      responses: { 200: Type.Array(Discussion) },
      paginated: true,
      run: async (call) => {
        const { find } = epicFinder(call, call.params.epic_id)
        return listedDiscussions(deps, await find(database), call.paging)
      },
    }),
    operation('GET /groups/:id/epics/:epic_id/discussions/:discussion_id', {
      summary: 'Get a discussion of an epic',
      access: 'read_epics',
      params: OfEpic.one,
      responses: { 200: Discussion },
      run: async (call) => {
        const { find } = epicFinder(call, call.params.epic_id)
        return oneDiscussion(deps, await find(database), call.params.discussion_id)
      },
    }),
    operation('POST /groups/:id/epics/:epic_id/discussions', {
      summary: 'Start a discussion of an epic',
      access: 'read_epics',
      params: OfEpic.create,
      responses: { 201: Discussion },
      run: async (call) => {
        const { epic_id, body, created_at: createdAt } = call.params
        const finder = epicFinder(call, epic_id)
        return startDiscussion(deps, finder, signedIn(call.user), { body, createdAt })
      },
    }),
    operation('GET /groups/:id/epics/:epic_id/discussions/:discussion_id/notes', {
      summary: 'List the notes of a discussion of an epic',
      access: 'read_epics',
      params: OfEpic.one,
      responses: { 200: Type.Array(Note) },
      run: async (call) => {
        const { find } = epicFinder(call, call.params.epic_id)
        return (await oneDiscussion(deps, await find(database), call.params.discussion_id)).notes
      },
    }),
    operation('GET /groups/:id/epics/:epic_id/discussions/:discussion_id/notes/:note_id', {
      summary: 'Get a note of a discussion of an epic',
      access: 'read_epics',
      params: OfEpic.note,
      responses: { 200: Note },
      run: async (call) => {
        const on = await epicFinder(call, call.params.epic_id).find(database)
        return oneNote(deps, on, await noteIn(database, on, call.params))
      },
    }),
    operation('POST /groups/:id/epics/:epic_id/discussions/:discussion_id/notes', {
      summary: 'Reply to a discussion of an epic',
      access: 'read_epics',
      params: OfEpic.reply,
      responses: { 201: Note },
      run: async (call) => {
        const { epic_id, discussion_id, body, created_at: createdAt } = call.params
        const finder = epicFinder(call, epic_id)
        const row = await reply(database, finder, signedIn(call.user), { discussion_id, body, createdAt })
        return oneNote(deps, await finder.find(database), row)
      },
    }),
    operation('PUT /groups/:id/epics/:epic_id/discussions/:discussion_id/notes/:note_id', {
      summary: 'Update a note of a discussion of an epic',
      access: 'read_epics',
      params: OfEpic.edit,
      responses: { 200: Note },
      run: async (call) => {
        const finder = epicFinder(call, call.params.epic_id)
        await noteIn(database, await finder.find(database), call.params)
        const { note_id, body } = call.params
        const row = await editNote(database, finder.lock, signedIn(call.user), note_id, body)
        return oneNote(deps, await finder.find(database), row)
      },
    }),
    operation('DELETE /groups/:id/epics/:epic_id/discussions/:discussion_id/notes/:note_id', {
      summary: 'Delete a note of a discussion of an epic',
      access: 'read_epics',
      params: OfEpic.note,
      responses: { 204: NoBody },
      modifiedAt: async (call) => {
        const on = await epicFinder(call, call.params.epic_id).find(database)
        return (await noteIn(database, on, call.params)).updated_at
      },
      run: async (call) => {
        const finder = epicFinder(call, call.params.epic_id)
        await noteIn(database, await finder.find(database), call.params)
        await deleteNote(database, finder.lock, signedIn(call.user), call.params.note_id)
        return respond(204)
      },
    }),
  ]
}
