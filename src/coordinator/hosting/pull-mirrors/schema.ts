import { type Static, Type } from 'typebox'

import { described, flag, optional } from '../../http/parameters/described.js'
import { DateTime, Nullable, OneOf } from '../../http/parameters/types.js'

export const SetPullMirror = Type.Object({
  enabled: optional(Type.Boolean(), 'Whether the project is updated; true for a new mirror.'),
  url: optional(Type.String(), 'HTTP URL of the source; required for a new mirror.'),
  auth_user: optional(Type.String(), 'User name for the source.'),
  auth_password: optional(Type.String(), 'Password or token for the source.'),
  mirror_trigger_builds: optional(Type.Boolean(), 'Whether updates start pipelines; false by default.'),
  only_mirror_protected_branches: optional(Type.Boolean(), 'Whether other branches are left out.'),
  mirror_overwrites_diverged_branches: optional(
    Type.Boolean(),
    'Whether branches are overwritten that have commits of their own; they are left as they are by default.',
  ),
})
export type SetPullMirror = Static<typeof SetPullMirror>

export const PullMirror = Type.Object({
  id: described(Type.Integer(), 'ID of the mirror.'),
  enabled: flag('Whether the project is updated.'),
  url: described(Type.String(), 'URL of the source, with its credentials masked.'),
  mirror_trigger_builds: flag('Whether updates start pipelines.'),
  only_mirror_protected_branches: flag('Whether other branches are left out.'),
  mirror_overwrites_diverged_branches: flag('Whether diverged branches are overwritten.'),
  update_status: described(
    OneOf('none', 'scheduled', 'started', 'finished', 'failed'),
    'State of the last update.',
  ),
  last_error: described(
    Nullable(Type.String()),
    'Why the last update failed, or which branches it has left out.',
  ),
  last_update_at: described(Nullable(DateTime()), 'Time of the last update.'),
  last_update_started_at: described(Nullable(DateTime()), 'Time at which the last update has started.'),
  last_successful_update_at: described(Nullable(DateTime()), 'Time of the last update that has succeeded.'),
})
export type PullMirror = Static<typeof PullMirror>
