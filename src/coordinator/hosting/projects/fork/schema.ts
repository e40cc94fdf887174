import { type Static, Type } from 'typebox'

import { described } from '../../../http/parameters/described.js'
import { NullableText, Visibility } from '../../../http/parameters/types.js'

const Name = Type.String({ minLength: 1, maxLength: 255 })

export const ForkProject = Type.Object({
  namespace_id: described(
    Type.Optional(Type.Integer()),
    'ID of the target namespace; default that of the caller.',
  ),
  namespace_path: described(Type.Optional(Type.String()), 'Path of the target namespace.'),
  namespace: described(Type.Optional(Type.String()), 'Deprecated: ID or path of the target namespace.'),
  name: described(Type.Optional(Name), 'Name of the fork; default that of the source.'),
  path: described(
    Type.Optional(Name),
    'Path of the fork, without its namespace; default that of the source.',
  ),
  description: described(Type.Optional(NullableText), 'Description of the fork; default that of the source.'),
  visibility: described(Type.Optional(Visibility), 'Visibility of the fork; at most that of the source.'),
  branches: described(
    Type.Optional(Type.String({ maxLength: 255 })),
    'Only branch to copy; default all branches.',
  ),
  mr_default_target_self: described(
    Type.Optional(Type.Boolean()),
    'Accepted without effect: there are no merge requests.',
  ),
})
export type ForkProject = Static<typeof ForkProject>
