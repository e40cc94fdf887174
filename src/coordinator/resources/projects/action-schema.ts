import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { DateTime, NullableText } from '../../http/parameters/types.js'
import { PublicUser } from '../../http/presenters/present-user.js'

export const TransferProject = Type.Object({
  namespace: described(Type.String(), 'Number or address of the namespace that it moves to.'),
})

export const SearchUsers = Type.Object({
  search: described(Type.Optional(Type.String()), 'Only those with this in their names.'),
})

export const Starrer = Type.Object({
  starred_since: described(DateTime(), 'When the user has starred it.'),
  user: described(PublicUser, 'Who has starred it.'),
})

export const ImportStatus = Type.Object({
  id: described(Type.Integer(), 'Number of the project.'),
  description: described(NullableText, 'What it is; null = nothing said.'),
  name: described(Type.String(), 'What people call it.'),
  name_with_namespace: described(Type.String(), 'The names of its groups and its own.'),
  path: described(Type.String(), 'Last part of its address.'),
  path_with_namespace: described(Type.String(), 'Its whole address.'),
  created_at: described(DateTime(), 'When it was made.'),
  import_status: described(Type.String(), '`none`, `scheduled`, `started`, `finished` or `failed`.'),
  import_type: described(NullableText, '`git` or `fork`; null = it was not imported.'),
  import_error: described(NullableText, 'Why it failed; null = it did not.'),
  correlation_id: described(NullableText, 'Always null.'),
  failed_relations: described(Type.Array(Type.Unknown()), 'Always empty.'),
  stats: described(Type.Null(), 'Always null.'),
})
export type ImportStatus = Static<typeof ImportStatus>
