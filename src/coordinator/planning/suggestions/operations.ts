import { Type } from 'typebox'

import { clientGone } from '../../http/client-gone.js'
import { type Operation, operation } from '../../http/operation.js'
import { type ApplyDeps, applySuggestions } from './apply.js'
import { Suggestion } from './present-suggestion.js'
import { ApplySuggestion, ApplySuggestions } from './schema.js'

/** Suggested changes of merge requests, which become commits of the source branch (API, G2). */
export function suggestionOperations(deps: ApplyDeps): Operation[] {
  return [
    operation('PUT /suggestions/:id/apply', {
      summary: 'Apply a suggestion',
      access: 'user',
      params: ApplySuggestion,
      responses: { 200: Suggestion },
      run: async ({ user, params, reply }) => {
        const wanted = { ids: [params.id], message: params.commit_message }
        const [applied] = await applySuggestions(deps, user, wanted, clientGone(reply))
        return applied
      },
    }),
    operation('PUT /suggestions/batch_apply', {
      summary: 'Apply several suggestions in one commit',
      access: 'user',
      params: ApplySuggestions,
      responses: { 200: Type.Array(Suggestion) },
      run: ({ user, params, reply }) =>
        applySuggestions(deps, user, { ids: params.ids, message: params.commit_message }, clientGone(reply)),
    }),
  ]
}
