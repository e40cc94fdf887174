import { type Static, Type } from 'typebox'

import { RunnerAccessLevel } from '../../../protocol/runner-registration.js'
import { NullableText } from '../../http/parameters/types.js'

const NullableInteger = Type.Union([Type.Integer(), Type.Null()])

export const RunnerTypeName = Type.Union([
  Type.Literal('instance_type'),
  Type.Literal('group_type'),
  Type.Literal('project_type'),
])

/** API gaps, I6. */
export const RunnerSummary = Type.Object({
  id: Type.Integer(),
  description: NullableText,
  ip_address: NullableText,
  active: Type.Boolean(),
  paused: Type.Boolean(),
  is_shared: Type.Boolean(),
  runner_type: RunnerTypeName,
  name: NullableText,
  online: Type.Union([Type.Boolean(), Type.Null()]),
  status: Type.String(),
  created_by: Type.Union([Type.Unknown(), Type.Null()]),
  created_at: Type.String(),
  job_execution_status: Type.String(),
})
export type RunnerSummary = Static<typeof RunnerSummary>

export const RunnerProject = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  name_with_namespace: Type.String(),
  path: Type.String(),
  path_with_namespace: Type.String(),
})
export type RunnerProject = Static<typeof RunnerProject>

export const RunnerGroup = Type.Object({ id: Type.Integer(), name: Type.String(), web_url: Type.String() })
export type RunnerGroup = Static<typeof RunnerGroup>

export const RunnerDetails = Type.Object({
  ...RunnerSummary.properties,
  tag_list: Type.Array(Type.String()),
  run_untagged: Type.Boolean(),
  locked: Type.Boolean(),
  maximum_timeout: NullableInteger,
  access_level: RunnerAccessLevel,
  version: NullableText,
  revision: NullableText,
  platform: NullableText,
  architecture: NullableText,
  contacted_at: NullableText,
  maintenance_note: NullableText,
  weight: Type.Integer(),
  projects: Type.Array(RunnerProject),
  groups: Type.Array(RunnerGroup),
})
export type RunnerDetails = Static<typeof RunnerDetails>

export const RunnerManager = Type.Object({
  id: Type.Integer(),
  system_id: Type.String(),
  version: NullableText,
  revision: NullableText,
  platform: NullableText,
  architecture: NullableText,
  created_at: Type.String(),
  contacted_at: Type.String(),
  ip_address: NullableText,
  status: Type.String(),
})
export type RunnerManager = Static<typeof RunnerManager>

/** Filters of every list of runners; `scope` is the older form of `status` and `type`. */
export const RunnerFilters = Type.Object({
  scope: Type.Optional(Type.String()),
  type: Type.Optional(RunnerTypeName),
  status: Type.Optional(
    Type.Union([
      Type.Literal('active'),
      Type.Literal('paused'),
      Type.Literal('online'),
      Type.Literal('offline'),
      Type.Literal('stale'),
      Type.Literal('never_contacted'),
    ]),
  ),
  paused: Type.Optional(Type.Boolean()),
  tag_list: Type.Optional(Type.Array(Type.String())),
  version_prefix: Type.Optional(Type.String()),
})
export type RunnerFilters = Static<typeof RunnerFilters>

/** What may be said of a runner when it is made or changed. */
export const RunnerSettings = Type.Object({
  description: Type.Optional(Type.String({ maxLength: 1024 })),
  active: Type.Optional(Type.Boolean()),
  paused: Type.Optional(Type.Boolean()),
  tag_list: Type.Optional(Type.Array(Type.String())),
  run_untagged: Type.Optional(Type.Boolean()),
  locked: Type.Optional(Type.Boolean()),
  access_level: Type.Optional(RunnerAccessLevel),
  /** Seconds; null takes the limit away. */
  maximum_timeout: Type.Optional(NullableInteger),
  maintenance_note: Type.Optional(Type.String({ maxLength: 1024 })),
  /** Beyond the reference: of several runners that wait, the one with the greatest gets a job. */
  weight: Type.Optional(Type.Integer({ minimum: -100, maximum: 100 })),
})
export type RunnerSettings = Static<typeof RunnerSettings>

export const NewToken = Type.Object({
  token: Type.String(),
  token_expires_at: Type.Optional(NullableText),
})
