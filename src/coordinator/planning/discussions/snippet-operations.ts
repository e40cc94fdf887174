import { Type } from 'typebox'

import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { signedIn } from '../../http/viewer.js'
import { snippetFinder } from '../notes/find-noteable.js'
import { deleteNote, editNote } from '../notes/note-changes.js'
import { Note, type NoteDeps, oneNote } from '../notes/present-note.js'
import { listedDiscussions, noteIn, oneDiscussion, reply, startDiscussion } from './discussions.js'
import { Discussion, OfSnippet } from './schema.js'

/** Discussions of snippets (API, G2). */
export function snippetDiscussionOperations(deps: NoteDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /projects/:id/snippets/:snippet_id/discussions', {
      summary: 'List the discussions of a snippet',
      access: 'read_snippets',
      params: OfSnippet.list,
      responses: { 200: Type.Array(Discussion) },
      paginated: true,
      run: async (call) => {
        const { find } = snippetFinder(call, call.params.snippet_id)
        return listedDiscussions(deps, await find(database), call.paging)
      },
    }),
    operation('GET /projects/:id/snippets/:snippet_id/discussions/:discussion_id', {
      summary: 'Get a discussion of a snippet',
      access: 'read_snippets',
      params: OfSnippet.one,
      responses: { 200: Discussion },
      run: async (call) => {
        const { find } = snippetFinder(call, call.params.snippet_id)
        return oneDiscussion(deps, await find(database), call.params.discussion_id)
      },
    }),
    operation('POST /projects/:id/snippets/:snippet_id/discussions', {
      summary: 'Start a discussion of a snippet',
      access: 'read_snippets',
      params: OfSnippet.create,
      responses: { 201: Discussion },
      run: async (call) => {
        const { snippet_id, body, created_at: createdAt } = call.params
        const finder = snippetFinder(call, snippet_id)
        return startDiscussion(deps, finder, signedIn(call.user), { body, createdAt })
      },
    }),
    operation('GET /projects/:id/snippets/:snippet_id/discussions/:discussion_id/notes', {
      summary: 'List the notes of a discussion of a snippet',
      access: 'read_snippets',
      params: OfSnippet.one,
      responses: { 200: Type.Array(Note) },
      run: async (call) => {
        const { find } = snippetFinder(call, call.params.snippet_id)
        return (await oneDiscussion(deps, await find(database), call.params.discussion_id)).notes
      },
    }),
    operation('GET /projects/:id/snippets/:snippet_id/discussions/:discussion_id/notes/:note_id', {
      summary: 'Get a note of a discussion of a snippet',
      access: 'read_snippets',
      params: OfSnippet.note,
      responses: { 200: Note },
      run: async (call) => {
        const on = await snippetFinder(call, call.params.snippet_id).find(database)
        return oneNote(deps, on, await noteIn(database, on, call.params))
      },
    }),
    operation('POST /projects/:id/snippets/:snippet_id/discussions/:discussion_id/notes', {
      summary: 'Reply to a discussion of a snippet',
      access: 'read_snippets',
      params: OfSnippet.reply,
      responses: { 201: Note },
      run: async (call) => {
        const { snippet_id, discussion_id, body, created_at: createdAt } = call.params
        const finder = snippetFinder(call, snippet_id)
        const row = await reply(database, finder, signedIn(call.user), { discussion_id, body, createdAt })
        return oneNote(deps, await finder.find(database), row)
      },
    }),
    operation('PUT /projects/:id/snippets/:snippet_id/discussions/:discussion_id/notes/:note_id', {
      summary: 'Update a note of a discussion of a snippet',
      access: 'read_snippets',
      params: OfSnippet.edit,
      responses: { 200: Note },
      run: async (call) => {
        const finder = snippetFinder(call, call.params.snippet_id)
        await noteIn(database, await finder.find(database), call.params)
        const { note_id, body } = call.params
        const row = await editNote(database, finder.lock, signedIn(call.user), note_id, body)
        return oneNote(deps, await finder.find(database), row)
      },
    }),
    operation('DELETE /projects/:id/snippets/:snippet_id/discussions/:discussion_id/notes/:note_id', {
      summary: 'Delete a note of a discussion of a snippet',
      access: 'read_snippets',
      params: OfSnippet.note,
      responses: { 204: NoBody },
      modifiedAt: async (call) => {
        const on = await snippetFinder(call, call.params.snippet_id).find(database)
        return (await noteIn(database, on, call.params)).updated_at
      },
      run: async (call) => {
        const finder = snippetFinder(call, call.params.snippet_id)
        await noteIn(database, await finder.find(database), call.params)
        await deleteNote(database, finder.lock, signedIn(call.user), call.params.note_id)
        return respond(204)
      },
    }),
  ]
}
