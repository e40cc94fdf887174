import type { Repositories } from '../../hosting/repositories/repositories.js'
import { type Operation, operation } from '../../http/operation.js'
import { signedIn } from '../../http/viewer.js'
import { mergeRequestFinder } from '../notes/find-noteable.js'
import { editNote } from '../notes/note-changes.js'
import { Note, type NoteDeps, oneNote } from '../notes/present-note.js'
import { suggestionsIn } from '../suggestions/suggestions-in.js'
import { MERGE_REQUEST_DISCUSSIONS } from './discussed-kinds.js'
import { noteIn, oneDiscussion, resolve } from './discussions.js'
import { Discussion, OfMergeRequest } from './schema.js'

interface ResolvingDeps extends NoteDeps {
  repositories: Pick<Repositories, 'readFile'>
}

/** Changes of discussions that merge requests alone have: they can be resolved (API, G2). */
export function resolvingOperations(deps: ResolvingDeps): Operation[] {
  const { database } = deps
  return [
    operation(MERGE_REQUEST_DISCUSSIONS.routes.edit, {
      summary: 'Update a note of a discussion of a merge request',
      access: 'read_merge_requests',
      params: OfMergeRequest.edit,
      exactlyOne: [['body', 'resolved']],
      responses: { 200: Note },
      run: async (call) => {
        const finder = mergeRequestFinder(call, call.params.merge_request_iid)
        const { position } = await noteIn(database, await finder.find(database), call.params)
        const user = signedIn(call.user)
        const { discussion_id, note_id, body, resolved } = call.params
        if (body !== undefined) {
          const suggestions = await suggestionsIn(deps.repositories, call.project.id, position, body)
          await editNote(database, finder.lock, user, note_id, body, suggestions)
        }
        if (resolved !== undefined) await resolve(database, finder, user, discussion_id, resolved)
        const on = await finder.find(database)
        return oneNote(deps, on, await noteIn(database, on, call.params))
      },
    }),
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
  ]
}
