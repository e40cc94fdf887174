import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { DateTime, Nullable, OneOf } from '../../http/parameters/types.js'

const NullableTime = Nullable(DateTime())

export const RemoteMirror = Type.Object({
  id: described(Type.Integer(), 'ID of the mirror.'),
  enabled: described(Type.Boolean(), 'Whether pushes to the project are mirrored.'),
  url: described(
    Type.String(),
    'URL of the target repository; username and password are replaced by `*****`.',
  ),
  only_protected_branches: described(
    Type.Boolean(),
    'Whether only protected branches are mirrored, without tags.',
  ),
  keep_divergent_refs: described(
    Type.Boolean(),
    'Whether diverged refs of the target are kept instead of overwritten.',
  ),
  update_status: described(
    OneOf('none', 'started', 'finished', 'failed'),
    'Status of the last update; `none` before the first one.',
  ),
  last_error: described(Nullable(Type.String()), 'Error of the last update; null if there was none.'),
  last_update_at: described(NullableTime, 'End time of the last update; null if there was none.'),
  last_update_started_at: described(NullableTime, 'Start time of the last update; null if there was none.'),
  last_successful_update_at: described(
    NullableTime,
    'End time of the last successful update; null if there was none.',
  ),
})
export type RemoteMirror = Static<typeof RemoteMirror>

const Url = Type.String({ minLength: 1, maxLength: 2000 })

const switches = {
  enabled: described(Type.Optional(Type.Boolean()), 'Whether to mirror pushes; default false.'),
  only_protected_branches: described(
    Type.Optional(Type.Boolean()),
    'Whether to mirror only protected branches, without tags; default false.',
  ),
  keep_divergent_refs: described(
    Type.Optional(Type.Boolean()),
    'Whether to keep diverged refs of the target; default false.',
  ),
}

export const NewMirror = Type.Object({
  url: described(
    Url,
    'URL of the target repository (http or https), with username and password if required.',
  ),
  ...switches,
})
export type NewMirror = Static<typeof NewMirror>

const mirror_id = described(Type.Integer(), 'ID of the mirror.')

export const OneMirror = Type.Object({ mirror_id })

export const EditMirror = Type.Object({
  mirror_id,
  url: described(Type.Optional(Url), 'New URL of the target repository.'),
  ...switches,
})
export type EditMirror = Static<typeof EditMirror>
