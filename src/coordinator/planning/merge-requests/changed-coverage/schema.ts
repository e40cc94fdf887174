import { type Static, Type } from 'typebox'

import { described } from '../../../http/parameters/described.js'

export const Coverage = Type.Object({
  files: described(
    Type.Record(Type.String(), Type.Record(Type.String(), Type.Integer())),
    'How often lines of changed files have run, by the path and the number of the line after the change; 0 for one that is not covered. Lines without a number are no code, or are not known.',
  ),
  errors: described(Type.Array(Type.String()), 'Why reports could not be read.'),
})
export type Coverage = Static<typeof Coverage>
