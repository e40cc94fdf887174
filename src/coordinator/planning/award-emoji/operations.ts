import { Type } from 'typebox'

import type { Access } from '../../access/permissions.js'
import { type Call, NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { signedIn, viewerOf } from '../../http/viewer.js'
import {
  type Awardable,
  type AwardableFinder,
  EPIC_NOTE,
  ISSUE,
  ISSUE_NOTE,
  MERGE_REQUEST,
  MERGE_REQUEST_NOTE,
  SNIPPET,
  SNIPPET_NOTE,
} from './awardables.js'
import { createAward, deleteAward, requireAwardEmoji } from './awards.js'
import { type AwardDeps, listedAwards, oneAward } from './present.js'
import { AwardEmoji } from './schema.js'

/** Emoji of issues, merge requests and snippets, and of notes (API, G5). */
export function awardEmojiOperations(deps: AwardDeps): Operation[] {
  return [
    ...operationsOn(deps, ISSUE),
    ...operationsOn(deps, MERGE_REQUEST),
    ...operationsOn(deps, ISSUE_NOTE),
    ...operationsOn(deps, MERGE_REQUEST_NOTE),
    ...operationsOn(deps, EPIC_NOTE),
    ...operationsOn(deps, SNIPPET),
    ...operationsOn(deps, SNIPPET_NOTE),
  ]
}

function operationsOn<A extends Access, Key>(deps: AwardDeps, awardable: Awardable<A, Key>): Operation[] {
  const { database } = deps
  const { routes, of, access, params } = awardable
  // All of `params` have the parameters that name the object.
  const finder = (call: Call<A, unknown>): AwardableFinder => awardable.finder(call as Call<A, Key>)
  return [
    operation(routes.list, {
      summary: `List the emoji of ${of}`,
      access,
      params: params.list,
      responses: { 200: Type.Array(AwardEmoji) },
      paginated: true,
      run: async (call) => listedAwards(deps, await finder(call).find(database), call.paging),
    }),
    operation(routes.get, {
      summary: `Get an emoji of ${of}`,
      access,
      params: params.one,
      responses: { 200: AwardEmoji },
      run: async (call) => {
        const awarded = await finder(call).find(database)
        return oneAward(deps, await requireAwardEmoji(database, awarded, call.params.award_id))
      },
    }),
    operation(routes.create, {
      summary: `Add an emoji to ${of}`,
      access,
      params: params.create,
      responses: { 201: AwardEmoji },
      run: async (call) => {
        const { lock } = finder(call)
        return oneAward(
          deps,
          await createAward(database, lock, signedIn(viewerOf(call.caller)), call.params.name),
        )
      },
    }),
    operation(routes.delete, {
      summary: `Delete an emoji of ${of}`,
      access,
      params: params.one,
      responses: { 204: NoBody },
      modifiedAt: async (call) => {
        const awarded = await finder(call).find(database)
        return (await requireAwardEmoji(database, awarded, call.params.award_id)).updated_at
      },
      run: async (call) => {
        const { lock } = finder(call)
        await deleteAward(database, lock, signedIn(viewerOf(call.caller)), call.params.award_id)
        return respond(204)
      },
    }),
  ]
}
