import { type Static, Type } from 'typebox'

import { AUTO_STOP_SETTINGS, ENVIRONMENT_STATES, TIERS } from '../../database/tables/environments.js'
import { described } from '../../http/parameters/described.js'
import { DateTime, Nullable, NullableText, OneOf } from '../../http/parameters/types.js'
import { Deployment, EnvironmentBrief } from '../../http/presenters/present-deployment.js'

export const EnvironmentSummary = Type.Object({
  ...EnvironmentBrief.properties,
  created_at: described(Type.String(), 'When it was made.'),
  updated_at: described(Type.String(), 'When it was last changed.'),
  tier: described(Type.String(), '`production`, `staging`, `testing`, `development` or `other`.'),
  state: described(Type.String(), '`available`, `stopping` or `stopped`.'),
  description: described(NullableText, 'What it is; null = nothing is said.'),
  auto_stop_at: described(NullableText, 'When it is stopped by itself; null = never.'),
  auto_stop_setting: described(
    Type.String(),
    'What lets it be stopped by itself: `always`, or `with_action` for the clock alone.',
  ),
  kubernetes_namespace: described(Type.Null(), 'Always null.'),
  flux_resource_path: described(Type.Null(), 'Always null.'),
})
export type EnvironmentSummary = Static<typeof EnvironmentSummary>

/** The single record (API, I8). */
export const Environment = Type.Object({
  ...EnvironmentSummary.properties,
  last_deployment: described(Nullable(Deployment), 'The last deployment that succeeded; null = none.'),
})
export type Environment = Static<typeof Environment>

export const EnvironmentFilters = Type.Object({
  name: described(Type.Optional(Type.String()), 'Only the one of this name.'),
  search: described(
    Type.Optional(Type.String()),
    'Only those whose name contains this, at least three characters.',
  ),
  states: described(Type.Optional(OneOf(...ENVIRONMENT_STATES)), 'Only those in this state.'),
})
export type EnvironmentFilters = Static<typeof EnvironmentFilters>

export const EnvironmentId = Type.Object({
  environment_id: described(Type.Integer(), 'Number of the environment.'),
})

const settings = {
  external_url: described(Type.Optional(Type.String()), 'Its address; the empty text takes it away.'),
  tier: described(Type.Optional(OneOf(...TIERS)), 'What kind of place it is; told by the name when absent.'),
  description: described(Type.Optional(Type.String({ maxLength: 10_000 })), 'What it is.'),
  auto_stop_setting: described(Type.Optional(OneOf(...AUTO_STOP_SETTINGS)), 'What may stop it by itself.'),
  slug: described(Type.Optional(Type.String()), 'Made from the name; to give one is an error.'),
}

export const NewEnvironment = Type.Object({ name: described(Type.String(), 'Its name.'), ...settings })
export type NewEnvironment = Static<typeof NewEnvironment>

export const EditEnvironment = Type.Object({
  ...EnvironmentId.properties,
  name: described(Type.Optional(Type.String()), 'Its new name.'),
  ...settings,
})
export type EditEnvironment = Static<typeof EditEnvironment>

export const StopEnvironment = Type.Object({
  ...EnvironmentId.properties,
  force: described(
    Type.Optional(Type.Boolean()),
    'Whether it is stopped without the jobs that are there for that; false by default.',
  ),
})

export const StopStale = Type.Object({
  before: described(
    DateTime(),
    'Stops those that nobody has deployed to or changed since; at least a week ago.',
  ),
})

export const DeleteReviewApps = Type.Object({
  before: described(Type.Optional(DateTime()), 'Only those made before this time; 30 days ago by default.'),
  limit: described(
    Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    'How many at most; 100 by default.',
  ),
  dry_run: described(Type.Optional(Type.Boolean()), 'Whether they are only told; true by default.'),
})
export type DeleteReviewApps = Static<typeof DeleteReviewApps>

/** What became of many environments. */
export const Entries = Type.Object({
  scheduled_entries: described(Type.Array(EnvironmentBrief), 'Those that it was done to.'),
  unprocessable_entries: described(Type.Array(EnvironmentBrief), 'Those that it could not be done to.'),
})
export type Entries = Static<typeof Entries>
