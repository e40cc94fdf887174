import { type Static, Type } from 'typebox'

import { DEPLOYMENT_STATUSES } from '../../database/tables/environments.js'
import { APPROVAL_STATUSES } from '../../database/tables/protected-environments.js'
import { described, optional } from '../../http/parameters/described.js'
import { DateTime, Nullable, NullableText, OneOf, SortDirection } from '../../http/parameters/types.js'
import { Deployment } from '../../http/presenters/present-deployment.js'
import { PublicUser } from '../../http/presenters/present-user.js'

/** API, I8. */
export const DeploymentFilters = Type.Object({
  environment: described(Type.Optional(Type.String()), 'Name of the environment to filter by.'),
  status: described(Type.Optional(OneOf(...DEPLOYMENT_STATUSES)), 'Status to filter by.'),
  updated_after: described(Type.Optional(DateTime()), 'Earliest time of the last change.'),
  updated_before: described(Type.Optional(DateTime()), 'Latest time of the last change.'),
  finished_after: described(Type.Optional(DateTime()), 'Earliest end time.'),
  finished_before: described(Type.Optional(DateTime()), 'Latest end time.'),
  order_by: described(
    Type.Optional(OneOf('id', 'iid', 'created_at', 'updated_at', 'finished_at', 'ref')),
    'Field to order by; `id` by default.',
  ),
  sort: described(Type.Optional(SortDirection), 'Sort order; `asc` by default.'),
})
export type DeploymentFilters = Static<typeof DeploymentFilters>

export const DeploymentId = Type.Object({
  deployment_id: described(Type.Integer(), 'ID of the deployment.'),
})

/** Statuses that clients may set for a deployment without a job. */
const ReportedStatus = OneOf('created', 'running', 'success', 'failed', 'canceled')

export const NewDeployment = Type.Object({
  environment: described(
    Type.String({ minLength: 1 }),
    'Name of the environment; created if it does not exist.',
  ),
  sha: described(Type.String({ minLength: 1 }), 'SHA of the deployed commit.'),
  ref: described(Type.String({ minLength: 1, maxLength: 1024 }), 'Branch or tag of the deployment.'),
  tag: described(Type.Boolean(), 'Whether `ref` is a tag.'),
  status: described(ReportedStatus, 'Status of the deployment.'),
})
export type NewDeployment = Static<typeof NewDeployment>

export const EditDeployment = Type.Object({
  ...DeploymentId.properties,
  status: described(ReportedStatus, 'New status of the deployment.'),
})
export type EditDeployment = Static<typeof EditDeployment>

export const ReviewDeployment = Type.Object({
  ...DeploymentId.properties,
  status: described(OneOf(...APPROVAL_STATUSES), 'The decision.'),
  comment: optional(Type.String({ maxLength: 1024 }), 'Comment on the decision.'),
  represented_as: optional(
    Type.String(),
    'Name of the user, group or role of the approval rule that the decision counts for; the first rule that applies to the caller by default.',
  ),
})

export const Approval = Type.Object({
  user: described(Nullable(PublicUser), 'User who decided; null for a deleted account.'),
  status: described(Type.String(), '`approved` or `rejected`.'),
  created_at: described(Type.String(), 'Time of the decision: ISO 8601, UTC.'),
  comment: described(NullableText, 'Comment on the decision.'),
})
export type Approval = Static<typeof Approval>

const ApprovalRule = Type.Object({
  id: described(Nullable(Type.Integer()), 'ID of the approval rule; null for the approvals by deployers.'),
  user_id: described(
    Nullable(Type.Integer()),
    'ID of the user who must approve; null for a group or a role.',
  ),
  group_id: described(
    Nullable(Type.Integer()),
    'ID of the group whose members must approve; null for a user or a role.',
  ),
  access_level: described(
    Nullable(Type.Integer()),
    'Minimum access level of the users who must approve; null for a user or a group.',
  ),
  access_level_description: described(Type.String(), 'The role, or the name of the user or group.'),
  required_approvals: described(Type.Integer(), 'Number of approvals that the rule requires.'),
  deployment_approvals: described(Type.Array(Approval), 'Decisions that count for the rule.'),
})

export const DeploymentApprovals = Type.Object({
  pending_approval_count: described(Type.Integer(), 'Number of approvals that are still required.'),
  approvals: described(Type.Array(Approval), 'All decisions, in chronological order.'),
  approval_summary: described(
    Type.Object({ rules: described(Type.Array(ApprovalRule), 'What the environment requires.') }),
    'Decisions by approval rule.',
  ),
})
export type DeploymentApprovals = Static<typeof DeploymentApprovals>

export const DeploymentWithApprovals = Type.Object({
  ...Deployment.properties,
  ...DeploymentApprovals.properties,
})
