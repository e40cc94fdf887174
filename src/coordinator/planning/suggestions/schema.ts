import { Type } from 'typebox'

import { described, optional } from '../../http/parameters/described.js'

const Message = optional(
  Type.String({ minLength: 1, maxLength: 100_000 }),
  'Message of the commit; by default by the template of the project.',
)

export const ApplySuggestion = Type.Object({
  id: described(Type.Integer(), 'ID of the suggestion.'),
  commit_message: Message,
})

export const ApplySuggestions = Type.Object({
  ids: described(Type.Array(Type.Integer(), { maxItems: 100 }), 'IDs of suggestions for one merge request.'),
  commit_message: Message,
})
