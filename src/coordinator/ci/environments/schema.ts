import { type Static, Type } from 'typebox'

import { AUTO_STOP_SETTINGS, ENVIRONMENT_STATES, TIERS } from '../../database/tables/environments.js'
import { described } from '../../http/parameters/described.js'
import { DateTime, Nullable, NullableText, OneOf } from '../../http/parameters/types.js'
import { Deployment, EnvironmentBrief } from '../../http/presenters/present-deployment.js'

export const EnvironmentSummary = Type.Object({
  ...EnvironmentBrief.properties,
  created_at: described(Type.String(), 'Time of creation.'),
  updated_at: described(Type.String(), 'Time of the last change.'),
  tier: described(Type.String(), '`production`, `staging`, `testing`, `development` or `other`.'),
  state: described(Type.String(), '`available`, `stopping` or `stopped`.'),
  description: described(NullableText, 'Description; null if there is none.'),
  auto_stop_at: described(NullableText, 'Time of the automatic stop; null if none is set.'),
  auto_stop_setting: described(
    Type.String(),
    'When the environment stops automatically: `always` when its source is deleted or its stop time has passed, `with_action` only when its stop time has passed.',
  ),
  kubernetes_namespace: described(Type.Null(), 'Always null.'),
  flux_resource_path: described(Type.Null(), 'Always null.'),
})
export type EnvironmentSummary = Static<typeof EnvironmentSummary>

/** What `with_details` adds. */
export const EnvironmentDetails = Type.Object({
  protected: described(
    Type.Boolean(),
    'Whether a rule of the project or of a group above it protects the environment.',
  ),
  can_deploy: described(
    Type.Boolean(),
    'Whether these rules allow the caller to deploy to it; true if there are none.',
  ),
})
export type EnvironmentDetails = Static<typeof EnvironmentDetails>

/** The single record (API, I8). */
export const Environment = Type.Object({
  ...EnvironmentSummary.properties,
  ...Type.Partial(EnvironmentDetails).properties,
  last_deployment: described(Nullable(Deployment), 'Last successful deployment; null if there is none.'),
})
export type Environment = Static<typeof Environment>

/** A record of the list; the deployments are there with `with_deployments`. */
export interface ListedEnvironment extends EnvironmentSummary, Partial<EnvironmentDetails> {
  last_deployment?: Deployment | null
  upcoming_deployments?: Deployment[]
}

const withDetails = described(
  Type.Optional(Type.Boolean()),
  'Whether to add what protects the environment (beyond the reference); false by default.',
)

export const EnvironmentFilters = Type.Object({
  name: described(Type.Optional(Type.String()), 'Exact name to filter by.'),
  search: described(
    Type.Optional(Type.String()),
    'Part of the name to search for, at least three characters.',
  ),
  states: described(Type.Optional(OneOf(...ENVIRONMENT_STATES)), 'State to filter by.'),
  with_deployments: described(
    Type.Optional(Type.Boolean()),
    'Whether to add the last deployment and those to come; false by default.',
  ),
  with_details: withDetails,
})
export type EnvironmentFilters = Static<typeof EnvironmentFilters>

export const EnvironmentId = Type.Object({
  environment_id: described(Type.Integer(), 'ID of the environment.'),
})

export const ShowEnvironment = Type.Object({
  ...EnvironmentId.properties,
  with_details: withDetails,
})

const settings = {
  external_url: described(Type.Optional(Type.String()), 'External URL; an empty string removes it.'),
  tier: described(Type.Optional(OneOf(...TIERS)), 'Deployment tier; derived from the name if absent.'),
  description: described(Type.Optional(Type.String({ maxLength: 10_000 })), 'Description.'),
  auto_stop_setting: described(
    Type.Optional(OneOf(...AUTO_STOP_SETTINGS)),
    'Events that may stop the environment automatically.',
  ),
  slug: described(Type.Optional(Type.String()), 'Generated from the name; a given value is an error.'),
}

export const NewEnvironment = Type.Object({
  name: described(Type.String(), 'Name of the environment.'),
  ...settings,
})
export type NewEnvironment = Static<typeof NewEnvironment>

export const EditEnvironment = Type.Object({
  ...EnvironmentId.properties,
  name: described(Type.Optional(Type.String()), 'New name of the environment.'),
  ...settings,
  cancel_auto_stop: described(
    Type.Optional(Type.Boolean()),
    'Whether to remove the time of the automatic stop (beyond the reference); false by default.',
  ),
})
export type EditEnvironment = Static<typeof EditEnvironment>

export const StopEnvironment = Type.Object({
  ...EnvironmentId.properties,
  force: described(
    Type.Optional(Type.Boolean()),
    'Whether to stop the environment without running its `on_stop` jobs; false by default.',
  ),
})

export const StopStale = Type.Object({
  before: described(
    DateTime(),
    'Time since which the environments had no deployment or change; at least one week ago.',
  ),
})

export const DeleteReviewApps = Type.Object({
  before: described(
    Type.Optional(DateTime()),
    'Latest creation time of the environments; 30 days ago by default.',
  ),
  limit: described(
    Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    'Maximum number of environments to delete; 100 by default.',
  ),
  dry_run: described(
    Type.Optional(Type.Boolean()),
    'Whether to list the environments without deleting them; true by default.',
  ),
})
export type DeleteReviewApps = Static<typeof DeleteReviewApps>

/** The result for many environments. */
export const Entries = Type.Object({
  scheduled_entries: described(Type.Array(EnvironmentBrief), 'Environments that were processed.'),
  unprocessable_entries: described(Type.Array(EnvironmentBrief), 'Environments that could not be processed.'),
})
export type Entries = Static<typeof Entries>
