import { type Static, Type } from 'typebox'

import { described } from '../../../http/parameters/described.js'
import { NullableText, Visibility } from '../../../http/parameters/types.js'

const Name = Type.String({ minLength: 1, maxLength: 255 })

export const ForkProject = Type.Object({
  namespace_id: described(
    Type.Optional(Type.Integer()),
    'Number of the namespace; default: that of the caller.',
  ),
  namespace_path: described(Type.Optional(Type.String()), 'Address of the namespace.'),
  namespace: described(Type.Optional(Type.String()), 'Older form: number or address of the namespace.'),
  name: described(Type.Optional(Name), 'What people call the fork; default: as its source.'),
  path: described(Type.Optional(Name), 'Last part of its address; default: as its source.'),
  description: described(Type.Optional(NullableText), 'What it is; default: as its source.'),
  visibility: described(Type.Optional(Visibility), 'Who sees it; at most as open as its source.'),
  branches: described(
    Type.Optional(Type.String({ maxLength: 255 })),
    'The only branch to copy; default: all.',
  ),
  mr_default_target_self: described(Type.Optional(Type.Boolean()), 'Accepted; there are no merge requests.'),
})
export type ForkProject = Static<typeof ForkProject>
