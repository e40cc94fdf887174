import { type Static, Type } from 'typebox'

import { DEPLOYMENT_STATUSES } from '../../engine/environments/table.js'
import { DateTime, OneOf, SortDirection } from '../../http/parameters/types.js'

/** API gaps, I8. */
export const DeploymentFilters = Type.Object({
  environment: Type.Optional(Type.String()),
  status: Type.Optional(OneOf(...DEPLOYMENT_STATUSES)),
  updated_after: Type.Optional(DateTime()),
  updated_before: Type.Optional(DateTime()),
  finished_after: Type.Optional(DateTime()),
  finished_before: Type.Optional(DateTime()),
  order_by: Type.Optional(OneOf('id', 'iid', 'created_at', 'updated_at', 'finished_at', 'ref')),
  sort: Type.Optional(SortDirection),
})
export type DeploymentFilters = Static<typeof DeploymentFilters>

export const DeploymentId = Type.Object({ deployment_id: Type.Integer() })

/** Statuses that those may give who deploy without a job. */
const ToldStatus = OneOf('created', 'running', 'success', 'failed', 'canceled')

export const NewDeployment = Type.Object({
  environment: Type.String({ minLength: 1 }),
  sha: Type.String({ minLength: 1 }),
  ref: Type.String({ minLength: 1, maxLength: 1024 }),
  tag: Type.Boolean(),
  status: ToldStatus,
})
export type NewDeployment = Static<typeof NewDeployment>

export const EditDeployment = Type.Object({ ...DeploymentId.properties, status: ToldStatus })
export type EditDeployment = Static<typeof EditDeployment>
