import { Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import type { Transaction } from '../../database/transaction.js'
import type { Awarded } from '../../hosting/award-emoji-store.js'
import { requireSnippet } from '../../hosting/snippets/visible-snippets.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { signedIn } from '../../http/viewer.js'
import type { CallerInProject } from '../access/issue-access.js'
import { createAward, deleteAward, type Locked, requireAwardEmoji } from './awards.js'
import { type AwardDeps, listedAwards, oneAward } from './present.js'
import { AwardEmoji, OfSnippet } from './schema.js'

/** Emoji of snippets (API, G5). */
export function snippetAwardOperations(deps: AwardDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /projects/:id/snippets/:snippet_id/award_emoji', {
      summary: 'List the emoji of a snippet',
      access: 'read_snippets',
      params: OfSnippet.list,
      responses: { 200: Type.Array(AwardEmoji) },
      paginated: true,
      run: async (call) =>
        listedAwards(deps, await awarded(database, call, call.params.snippet_id), call.paging),
    }),
    operation('GET /projects/:id/snippets/:snippet_id/award_emoji/:award_id', {
      summary: 'Get an emoji of a snippet',
      access: 'read_snippets',
      params: OfSnippet.one,
      responses: { 200: AwardEmoji },
      run: async (call) => {
        const { snippet_id, award_id } = call.params
        return oneAward(
          deps,
          await requireAwardEmoji(database, await awarded(database, call, snippet_id), award_id),
        )
      },
    }),
    operation('POST /projects/:id/snippets/:snippet_id/award_emoji', {
      summary: 'Add an emoji to a snippet',
      access: 'read_snippets',
      params: OfSnippet.create,
      responses: { 201: AwardEmoji },
      run: async (call) => {
        const { snippet_id, name } = call.params
        const user = signedIn(call.user)
        const lock = (tx: Transaction) => locked(tx, call, snippet_id)
        return oneAward(deps, await createAward(database, lock, user, name))
      },
    }),
    operation('DELETE /projects/:id/snippets/:snippet_id/award_emoji/:award_id', {
      summary: 'Delete an emoji of a snippet',
      access: 'read_snippets',
      params: OfSnippet.one,
      responses: { 204: NoBody },
      modifiedAt: async (call) => {
        const { snippet_id, award_id } = call.params
        return (await requireAwardEmoji(database, await awarded(database, call, snippet_id), award_id))
          .updated_at
      },
      run: async (call) => {
        const { snippet_id, award_id } = call.params
        const user = signedIn(call.user)
        await deleteAward(database, (tx) => locked(tx, call, snippet_id), user, award_id)
        return respond(204)
      },
    }),
  ]
}

async function awarded(database: Database, place: CallerInProject, id: number): Promise<Awarded> {
  return { table: 'snippet', id: (await requireSnippet(database, place, id)).id }
}

async function locked(tx: Transaction, place: CallerInProject, id: number): Promise<Locked> {
  const row = await requireSnippet(tx, place, id)
  return {
    awarded: { table: 'snippet', id: row.id },
    isAllowed: true,
    hooked: { projectId: place.project.id, on: { type: 'Snippet', row } },
  }
}
