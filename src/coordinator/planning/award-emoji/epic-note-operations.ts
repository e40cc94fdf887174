import { Type } from 'typebox'

import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { signedIn } from '../../http/viewer.js'
import { epicFinder } from '../notes/find-noteable.js'
import { createAward, deleteAward, requireAwardEmoji } from './awards.js'
import { awardedNote, lockedNote } from './note-awards.js'
import { type AwardDeps, listedAwards, oneAward } from './present.js'
import { AwardEmoji, OfEpicNote } from './schema.js'

/** Emoji of notes of epics (API, G5). */
export function epicNoteAwardOperations(deps: AwardDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /groups/:id/epics/:epic_id/notes/:note_id/award_emoji', {
      summary: 'List the emoji of a note of an epic',
      access: 'read_epics',
      params: OfEpicNote.list,
      responses: { 200: Type.Array(AwardEmoji) },
      paginated: true,
      run: async (call) => {
        const { epic_id, note_id } = call.params
        return listedAwards(
          deps,
          await awardedNote(database, epicFinder(call, epic_id), note_id),
          call.paging,
        )
      },
    }),
    operation('GET /groups/:id/epics/:epic_id/notes/:note_id/award_emoji/:award_id', {
      summary: 'Get an emoji of a note of an epic',
      access: 'read_epics',
      params: OfEpicNote.one,
      responses: { 200: AwardEmoji },
      run: async (call) => {
        const { epic_id, note_id, award_id } = call.params
        const awarded = await awardedNote(database, epicFinder(call, epic_id), note_id)
        return oneAward(deps, await requireAwardEmoji(database, awarded, award_id))
      },
    }),
    operation('POST /groups/:id/epics/:epic_id/notes/:note_id/award_emoji', {
      summary: 'Add an emoji to a note of an epic',
      access: 'read_epics',
      params: OfEpicNote.create,
      responses: { 201: AwardEmoji },
      run: async (call) => {
        const { epic_id, note_id, name } = call.params
        const finder = epicFinder(call, epic_id)
        const row = await createAward(
          database,
          (tx) => lockedNote(tx, finder, note_id),
          signedIn(call.user),
          name,
        )
        return oneAward(deps, row)
      },
    }),
    operation('DELETE /groups/:id/epics/:epic_id/notes/:note_id/award_emoji/:award_id', {
      summary: 'Delete an emoji of a note of an epic',
      access: 'read_epics',
      params: OfEpicNote.one,
      responses: { 204: NoBody },
      modifiedAt: async (call) => {
        const { epic_id, note_id, award_id } = call.params
        const awarded = await awardedNote(database, epicFinder(call, epic_id), note_id)
        return (await requireAwardEmoji(database, awarded, award_id)).updated_at
      },
      run: async (call) => {
        const { epic_id, note_id, award_id } = call.params
        const finder = epicFinder(call, epic_id)
        await deleteAward(database, (tx) => lockedNote(tx, finder, note_id), signedIn(call.user), award_id)
        return respond(204)
      },
    }),
  ]
}
