import { type Static, Type } from 'typebox'

import { described, flag, optional } from '../../../http/parameters/described.js'
import { NullableText } from '../../../http/parameters/types.js'
import { PublicUser } from '../../../http/presenters/present-user.js'
import { ByIid } from '../schema.js'

/** API, F4. */
export const Approvals = Type.Object({
  id: described(Type.Integer(), 'ID of the merge request.'),
  iid: described(Type.Integer(), 'Number of the merge request within its project.'),
  project_id: described(Type.Integer(), 'ID of the target project.'),
  title: described(Type.String(), 'Title.'),
  description: described(NullableText, 'Description.'),
  state: described(Type.String(), 'State of the merge request.'),
  created_at: described(Type.String(), 'Time of creation.'),
  updated_at: described(Type.String(), 'Time of the last change.'),
  merge_status: described(Type.String(), 'Whether the branches can be merged.'),
  approved: flag('Whether it has all approvals that the rules require.'),
  approvals_required: described(Type.Integer(), 'Sum of the approvals that the rules require.'),
  approvals_left: described(
    Type.Integer(),
    'Sum of the missing approvals; one approval may count for several rules.',
  ),
  has_approval_rules: flag('Whether a rule names who must approve.'),
  approval_rules_left: described(
    Type.Array(
      Type.Object({
        id: described(Type.Integer(), 'ID of the rule.'),
        name: described(Type.String(), 'Name of the rule.'),
        rule_type: described(Type.String(), 'Type of the rule.'),
      }),
    ),
    'Rules that lack approvals.',
  ),
  suggested_approvers: described(
    Type.Array(PublicUser),
    'Users whose approvals would count for rules that lack some; at most 20.',
  ),
  approved_by: described(
    Type.Array(
      Type.Object({
        user: described(PublicUser, 'User who has approved.'),
        approved_at: described(Type.String(), 'Time of the approval.'),
      }),
    ),
    'Approvals, the oldest first.',
  ),
  user_has_approved: flag('Whether the caller has approved.'),
  user_can_approve: flag('Whether the caller may approve now.'),
})
export type Approvals = Static<typeof Approvals>

export const Approve = Type.Object({
  ...ByIid.properties,
  sha: optional(Type.String(), 'Expected head of the source branch; with another head, nothing is approved.'),
})

export const ApprovalSettings = Type.Object({
  approvals_before_merge: described(Type.Integer(), 'Number of approvals that merge requests require.'),
  reset_approvals_on_push: flag('Whether a push to the source branch removes the approvals.'),
  merge_requests_author_approval: flag('Whether authors may approve their own merge requests.'),
  disable_overriding_approvers_per_merge_request: flag(
    'Whether merge requests may not have rules of their own.',
  ),
})
export type ApprovalSettings = Static<typeof ApprovalSettings>

/** The settings of a project, or of what has the same fields. */
export function approvalSettingsOf({
  approvals_before_merge,
  reset_approvals_on_push,
  merge_requests_author_approval,
  disable_overriding_approvers_per_merge_request,
}: ApprovalSettings): ApprovalSettings {
  return {
    approvals_before_merge,
    reset_approvals_on_push,
    merge_requests_author_approval,
    disable_overriding_approvers_per_merge_request,
  }
}

export const SetApprovalSettings = Type.Object({
  approvals_before_merge: optional(
    Type.Integer({ minimum: 0, maximum: 1000 }),
    'Number of approvals that merge requests require.',
  ),
  reset_approvals_on_push: optional(
    Type.Boolean(),
    'Whether a push to the source branch removes the approvals; true by default.',
  ),
  merge_requests_author_approval: optional(
    Type.Boolean(),
    'Whether authors may approve their own merge requests; false by default.',
  ),
  disable_overriding_approvers_per_merge_request: optional(
    Type.Boolean(),
    'Whether merge requests may not have rules of their own; false by default.',
  ),
})
