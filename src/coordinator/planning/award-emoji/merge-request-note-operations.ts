import { Type } from 'typebox'

import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { signedIn } from '../../http/viewer.js'
import { mergeRequestFinder } from '../notes/find-noteable.js'
import { createAward, deleteAward, requireAwardEmoji } from './awards.js'
import { awardedNote, lockedNote } from './note-awards.js'
import { type AwardDeps, listedAwards, oneAward } from './present.js'
import { AwardEmoji, OfMergeRequestNote } from './schema.js'

/** Emoji of notes of merge requests (API, G5). */
export function mergeRequestNoteAwardOperations(deps: AwardDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji', {
      summary: 'List the emoji of a note of a merge request',
      access: 'read_merge_requests',
      params: OfMergeRequestNote.list,
      responses: { 200: Type.Array(AwardEmoji) },
      paginated: true,
      run: async (call) => {
        const { merge_request_iid, note_id } = call.params
        return listedAwards(
          deps,
          await awardedNote(database, mergeRequestFinder(call, merge_request_iid), note_id),
          call.paging,
        )
      },
    }),
    operation('GET /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji/:award_id', {
      summary: 'Get an emoji of a note of a merge request',
      access: 'read_merge_requests',
      params: OfMergeRequestNote.one,
      responses: { 200: AwardEmoji },
      run: async (call) => {
        const { merge_request_iid, note_id, award_id } = call.params
        const awarded = await awardedNote(database, mergeRequestFinder(call, merge_request_iid), note_id)
        return oneAward(deps, await requireAwardEmoji(database, awarded, award_id))
      },
    }),
    operation('POST /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji', {
      summary: 'Add an emoji to a note of a merge request',
      access: 'read_merge_requests',
      params: OfMergeRequestNote.create,
      responses: { 201: AwardEmoji },
      run: async (call) => {
        const { merge_request_iid, note_id, name } = call.params
        const finder = mergeRequestFinder(call, merge_request_iid)
        const row = await createAward(
          database,
          (tx) => lockedNote(tx, finder, note_id),
          signedIn(call.user),
          name,
        )
        return oneAward(deps, row)
      },
    }),
    operation('DELETE /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji/:award_id', {
      summary: 'Delete an emoji of a note of a merge request',
      access: 'read_merge_requests',
      params: OfMergeRequestNote.one,
      responses: { 204: NoBody },
      modifiedAt: async (call) => {
        const { merge_request_iid, note_id, award_id } = call.params
        const awarded = await awardedNote(database, mergeRequestFinder(call, merge_request_iid), note_id)
        return (await requireAwardEmoji(database, awarded, award_id)).updated_at
      },
      run: async (call) => {
        const { merge_request_iid, note_id, award_id } = call.params
        const finder = mergeRequestFinder(call, merge_request_iid)
        await deleteAward(database, (tx) => lockedNote(tx, finder, note_id), signedIn(call.user), award_id)
        return respond(204)
      },
    }),
  ]
}
