import { type Static, Type } from 'typebox'

import { AUTO_STOP_SETTINGS, ENVIRONMENT_STATES, TIERS } from '../../engine/environments/table.js'
import { DateTime, Nullable, NullableText, OneOf } from '../../http/parameters/types.js'
import { Deployment, EnvironmentBrief } from '../../http/present-deployment.js'

export const EnvironmentSummary = Type.Object({
  ...EnvironmentBrief.properties,
  created_at: Type.String(),
  updated_at: Type.String(),
  tier: Type.String(),
  state: Type.String(),
  description: NullableText,
  auto_stop_at: NullableText,
  auto_stop_setting: Type.String(),
  kubernetes_namespace: Type.Null(),
  flux_resource_path: Type.Null(),
})
export type EnvironmentSummary = Static<typeof EnvironmentSummary>

/** The single record (seed 1). */
export const Environment = Type.Object({
  ...EnvironmentSummary.properties,
  last_deployment: Nullable(Deployment),
})
export type Environment = Static<typeof Environment>

export const EnvironmentFilters = Type.Object({
  name: Type.Optional(Type.String()),
  search: Type.Optional(Type.String()),
  states: Type.Optional(OneOf(...ENVIRONMENT_STATES)),
})
export type EnvironmentFilters = Static<typeof EnvironmentFilters>

export const EnvironmentId = Type.Object({ environment_id: Type.Integer() })

const settings = {
  external_url: Type.Optional(Type.String()),
  tier: Type.Optional(OneOf(...TIERS)),
  description: Type.Optional(Type.String({ maxLength: 10_000 })),
  auto_stop_setting: Type.Optional(OneOf(...AUTO_STOP_SETTINGS)),
  /** Is made from the name; to say it is an error of its own. */
  slug: Type.Optional(Type.String()),
}

export const NewEnvironment = Type.Object({ name: Type.String(), ...settings })
export type NewEnvironment = Static<typeof NewEnvironment>

export const EditEnvironment = Type.Object({
  ...EnvironmentId.properties,
  name: Type.Optional(Type.String()),
  ...settings,
})
export type EditEnvironment = Static<typeof EditEnvironment>

export const StopEnvironment = Type.Object({
  ...EnvironmentId.properties,
  force: Type.Optional(Type.Boolean()),
})

export const StopStale = Type.Object({ before: DateTime() })

export const DeleteReviewApps = Type.Object({
  before: Type.Optional(DateTime()),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  dry_run: Type.Optional(Type.Boolean()),
})
export type DeleteReviewApps = Static<typeof DeleteReviewApps>

/** What became of many environments. */
export const Entries = Type.Object({
  scheduled_entries: Type.Array(EnvironmentBrief),
  unprocessable_entries: Type.Array(EnvironmentBrief),
})
export type Entries = Static<typeof Entries>
