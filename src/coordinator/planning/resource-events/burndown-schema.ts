import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { Nullable, OneOf } from '../../http/parameters/types.js'

export const BurndownEvent = Type.Object({
  created_at: described(Type.String(), 'Time of the event.'),
  weight: described(Nullable(Type.Integer()), 'Present weight of the issue; null if there is none.'),
  action: described(OneOf('created', 'closed', 'reopened'), 'What happened to an issue of the milestone.'),
})
export type BurndownEvent = Static<typeof BurndownEvent>
