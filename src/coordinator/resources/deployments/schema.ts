import { type Static, Type } from 'typebox'

import { DEPLOYMENT_STATUSES } from '../../engine/environments/table.js'
import { described } from '../../http/parameters/described.js'
import { DateTime, OneOf, SortDirection } from '../../http/parameters/types.js'

/** API gaps, I8. */
export const DeploymentFilters = Type.Object({
  environment: described(Type.Optional(Type.String()), 'Only those to the environment of this name.'),
  status: described(Type.Optional(OneOf(...DEPLOYMENT_STATUSES)), 'Only those in this status.'),
  updated_after: described(Type.Optional(DateTime()), 'Only those changed at this time or later.'),
  updated_before: described(Type.Optional(DateTime()), 'Only those changed at this time or earlier.'),
  finished_after: described(Type.Optional(DateTime()), 'Only those that ended at this time or later.'),
  finished_before: described(Type.Optional(DateTime()), 'Only those that ended at this time or earlier.'),
  order_by: described(
    Type.Optional(OneOf('id', 'iid', 'created_at', 'updated_at', 'finished_at', 'ref')),
    'What the list is ordered by; `id` by default.',
  ),
  sort: described(Type.Optional(SortDirection), '`asc` by default.'),
})
export type DeploymentFilters = Static<typeof DeploymentFilters>

export const DeploymentId = Type.Object({
  deployment_id: described(Type.Integer(), 'Number of the deployment.'),
})

/** Statuses that those may give who deploy without a job. */
const ToldStatus = OneOf('created', 'running', 'success', 'failed', 'canceled')

export const NewDeployment = Type.Object({
  environment: described(
    Type.String({ minLength: 1 }),
    'Name of the environment, which is made if there is none.',
  ),
  sha: described(Type.String({ minLength: 1 }), 'The commit that was deployed.'),
  ref: described(Type.String({ minLength: 1, maxLength: 1024 }), 'Its branch or tag.'),
  tag: described(Type.Boolean(), 'Whether `ref` is a tag.'),
  status: described(ToldStatus, 'How it stands.'),
})
export type NewDeployment = Static<typeof NewDeployment>

export const EditDeployment = Type.Object({
  ...DeploymentId.properties,
  status: described(ToldStatus, 'What became of it.'),
})
export type EditDeployment = Static<typeof EditDeployment>
