import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { DateTime, Nullable, OneOf } from '../../http/parameters/types.js'

const NullableTime = Nullable(DateTime())

export const RemoteMirror = Type.Object({
  id: described(Type.Integer(), 'Number of the mirror.'),
  enabled: described(Type.Boolean(), 'Pushes to the project are passed on.'),
  url: described(Type.String(), 'Address of the repository; user name and password show as `*****`.'),
  only_protected_branches: described(Type.Boolean(), 'Only protected branches are passed on, and no tags.'),
  keep_divergent_refs: described(Type.Boolean(), 'What has changed there is not overwritten.'),
  update_status: described(
    OneOf('none', 'started', 'finished', 'failed'),
    'What became of the last push; `none` = there was none.',
  ),
  last_error: described(Nullable(Type.String()), 'Why the last push failed; null = it did not.'),
  last_update_at: described(NullableTime, 'When the last push ended; null = none has.'),
  last_update_started_at: described(NullableTime, 'When the last push began; null = none has.'),
  last_successful_update_at: described(
    NullableTime,
    'When the last push ended that went well; null = none did.',
  ),
})
export type RemoteMirror = Static<typeof RemoteMirror>

const Url = Type.String({ minLength: 1, maxLength: 2000 })

const switches = {
  enabled: described(Type.Optional(Type.Boolean()), 'Whether pushes are passed on; default false.'),
  only_protected_branches: described(
    Type.Optional(Type.Boolean()),
    'Whether only protected branches are passed on, and no tags; default false.',
  ),
  keep_divergent_refs: described(
    Type.Optional(Type.Boolean()),
    'Whether what has changed there stays as it is; default false.',
  ),
}

export const NewMirror = Type.Object({
  url: described(
    Url,
    'Address of the repository (http or https), with user name and password if it needs any.',
  ),
  ...switches,
})
export type NewMirror = Static<typeof NewMirror>

const mirror_id = described(Type.Integer(), 'Number of the mirror.')

export const OneMirror = Type.Object({ mirror_id })

export const EditMirror = Type.Object({
  mirror_id,
  url: described(Type.Optional(Url), 'Another address.'),
  ...switches,
})
export type EditMirror = Static<typeof EditMirror>
