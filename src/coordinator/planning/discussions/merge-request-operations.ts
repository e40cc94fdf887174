import { Type } from 'typebox'

import type { Repositories } from '../../hosting/repositories/repositories.js'
import { clientGone } from '../../http/client-gone.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { signedIn } from '../../http/viewer.js'
import { requireMergeRequest } from '../access/merge-request-access.js'
import { mergeRequestFinder } from '../notes/find-noteable.js'
import { deleteNote, editNote } from '../notes/note-changes.js'
import { Note, type NoteDeps, oneNote } from '../notes/present-note.js'
import { suggestionsIn } from '../suggestions/suggestions-in.js'
import {
  listedDiscussions,
  noteIn,
  oneDiscussion,
  reply,
  requireThread,
  resolve,
  startDiscussion,
} from './discussions.js'
import { checkPosition } from './position.js'
import { Discussion, OfMergeRequest } from './schema.js'

export interface DiscussionDeps extends NoteDeps {
  repositories: Pick<Repositories, 'reading' | 'readFile'>
}

/** Discussions of merge requests, also of lines of their diffs (API, G2). */
export function mergeRequestDiscussionOperations(deps: DiscussionDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /projects/:id/merge_requests/:merge_request_iid/discussions', {
      summary: 'List the discussions of a merge request',
      access: 'read_merge_requests',
      params: OfMergeRequest.list,
      responses: { 200: Type.Array(Discussion) },
      paginated: true,
      run: async (call) => {
        const { find } = mergeRequestFinder(call, call.params.merge_request_iid)
        return listedDiscussions(deps, await find(database), call.paging)
      },
    }),
    operation('GET /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id', {
      summary: 'Get a discussion of a merge request',
      access: 'read_merge_requests',
      params: OfMergeRequest.one,
      responses: { 200: Discussion },
      run: async (call) => {
        const { find } = mergeRequestFinder(call, call.params.merge_request_iid)
        return oneDiscussion(deps, await find(database), call.params.discussion_id)
      },
    }),
    operation('POST /projects/:id/merge_requests/:merge_request_iid/discussions', {
      summary: 'Start a discussion of a merge request',
      access: 'read_merge_requests',
      params: OfMergeRequest.create,
      responses: { 201: Discussion },
      run: async (call) => {
        const { merge_request_iid, body, created_at: createdAt, position } = call.params
        const user = signedIn(call.user)
        const row = await requireMergeRequest(database, call, merge_request_iid)
        const reading = deps.repositories.reading(call.project.id, clientGone(call.reply))
        const checked = position && (await checkPosition(deps, reading, row, position))
        const checkedPosition = checked?.position ?? null
        const suggestions = await suggestionsIn(deps.repositories, call.project.id, checkedPosition, body)
        const finder = mergeRequestFinder(call, merge_request_iid)
        return startDiscussion(deps, finder, user, { body, createdAt, suggestions }, checked)
      },
    }),
    operation('GET /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes', {
      summary: 'List the notes of a discussion of a merge request',
      access: 'read_merge_requests',
      params: OfMergeRequest.one,
      responses: { 200: Type.Array(Note) },
      run: async (call) => {
        const { find } = mergeRequestFinder(call, call.params.merge_request_iid)
        return (await oneDiscussion(deps, await find(database), call.params.discussion_id)).notes
      },
    }),
    operation(
      'GET /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes/:note_id',
      {
        summary: 'Get a note of a discussion of a merge request',
        access: 'read_merge_requests',
        params: OfMergeRequest.note,
        responses: { 200: Note },
        run: async (call) => {
          const on = await mergeRequestFinder(call, call.params.merge_request_iid).find(database)
          return oneNote(deps, on, await noteIn(database, on, call.params))
        },
      },
    ),
    operation('POST /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes', {
      summary: 'Reply to a discussion of a merge request',
      access: 'read_merge_requests',
      params: OfMergeRequest.reply,
      responses: { 201: Note },
      run: async (call) => {
        const { merge_request_iid, discussion_id, body, created_at: createdAt } = call.params
        const finder = mergeRequestFinder(call, merge_request_iid)
        const user = signedIn(call.user)
        const [first] = await requireThread(database, await finder.find(database), discussion_id)
        const suggestions = await suggestionsIn(deps.repositories, call.project.id, first.position, body)
        const row = await reply(database, finder, user, { discussion_id, body, createdAt, suggestions })
        return oneNote(deps, await finder.find(database), row)
      },
    }),
    operation(
      'PUT /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes/:note_id',
      {
        summary: 'Update a note of a discussion of a merge request',
        access: 'read_merge_requests',
        params: OfMergeRequest.edit,
        exactlyOne: [['body', 'resolved']],
        responses: { 200: Note },
        run: async (call) => {
          const finder = mergeRequestFinder(call, call.params.merge_request_iid)
          await noteIn(database, await finder.find(database), call.params)
          const user = signedIn(call.user)
          const { discussion_id, note_id, body, resolved } = call.params
          if (body !== undefined) {
            const { position } = await noteIn(database, await finder.find(database), call.params)
            const suggestions = await suggestionsIn(deps.repositories, call.project.id, position, body)
            await editNote(database, finder.lock, user, note_id, body, suggestions)
          }
          if (resolved !== undefined) await resolve(database, finder, user, discussion_id, resolved)
          const on = await finder.find(database)
          return oneNote(deps, on, await noteIn(database, on, call.params))
        },
      },
    ),
    operation('PUT /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id', {
      summary: 'Resolve a discussion of a merge request',
      access: 'read_merge_requests',
      params: OfMergeRequest.resolve,
      responses: { 200: Discussion },
      run: async (call) => {
        const { merge_request_iid, discussion_id, resolved } = call.params
        const finder = mergeRequestFinder(call, merge_request_iid)
        await resolve(database, finder, signedIn(call.user), discussion_id, resolved)
        return oneDiscussion(deps, await finder.find(database), discussion_id)
      },
    }),
    operation(
      'DELETE /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes/:note_id',
      {
        summary: 'Delete a note of a discussion of a merge request',
        access: 'read_merge_requests',
        params: OfMergeRequest.note,
        responses: { 204: NoBody },
        modifiedAt: async (call) => {
          const on = await mergeRequestFinder(call, call.params.merge_request_iid).find(database)
          return (await noteIn(database, on, call.params)).updated_at
        },
        run: async (call) => {
          const finder = mergeRequestFinder(call, call.params.merge_request_iid)
          await noteIn(database, await finder.find(database), call.params)
          await deleteNote(database, finder.lock, signedIn(call.user), call.params.note_id)
          return respond(204)
        },
      },
    ),
  ]
}
