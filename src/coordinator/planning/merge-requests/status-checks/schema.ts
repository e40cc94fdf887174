import { type Static, Type } from 'typebox'

import { CHECK_STATUSES } from '../../../database/tables/status-checks.js'
import { described, flag, optional } from '../../../http/parameters/described.js'
import { Nullable, OneOf } from '../../../http/parameters/types.js'
import { MergeRequest } from '../record-schema.js'

const Status = OneOf(...CHECK_STATUSES)

const check = {
  id: described(Type.Integer(), 'ID of the status check.'),
  name: described(Type.String(), 'Name.'),
  external_url: described(Type.String(), 'Address of the service.'),
}

/** API, F4. */
export const StatusCheck = Type.Object({
  ...check,
  project_id: described(Type.Integer(), 'ID of the project.'),
  hmac: flag('Whether its requests are signed.'),
  protected_branches: described(
    Type.Array(
      Type.Object({
        id: described(Type.Integer(), 'ID of the protected branch.'),
        project_id: described(Type.Integer(), 'ID of the project.'),
        name: described(Type.String(), 'Name, or pattern of names.'),
        created_at: described(Type.String(), 'Time of creation.'),
        updated_at: described(Type.String(), 'Time of creation.'),
        code_owner_approval_required: flag('Whether the branch requires the approvals of code owners.'),
      }),
    ),
    'Target branches for which it is; empty for all branches.',
  ),
})
export type StatusCheck = Static<typeof StatusCheck>

/** What a check says about the head of a merge request. */
export const CheckOfMergeRequest = Type.Object({
  ...check,
  status: described(Status, '`pending` until the service has said something about the head.'),
})
export type CheckOfMergeRequest = Static<typeof CheckOfMergeRequest>

export const StatusCheckResponse = Type.Object({
  id: described(Type.Integer(), 'ID of the answer.'),
  merge_request: described(MergeRequest, 'Merge request.'),
  external_status_check: described(StatusCheck, 'Status check.'),
  status: described(Status, 'Status of the check from now on.'),
})

const Name = Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' })
const Secret = Nullable(Type.String({ maxLength: 255 }))
const Address = Type.String({ maxLength: 2048 })
const BranchIds = Type.Array(Type.Integer(), { maxItems: 100 })
const byCheck = { check_id: described(Type.Integer(), 'ID of the status check.') }

export const CreateStatusCheck = Type.Object({
  name: described(Name, 'Name, which no other check of the project has.'),
  external_url: described(Address, 'Address of the service, which no other check of the project has.'),
  shared_secret: optional(Secret, 'Key of the signature that each request gets in `X-Gitlab-Signature`.'),
  protected_branch_ids: optional(
    BranchIds,
    'IDs of the protected branches for which it is; by default all branches.',
  ),
})
export type CreateStatusCheck = Static<typeof CreateStatusCheck>

export const EditStatusCheck = Type.Object({
  ...byCheck,
  name: optional(Name, 'Name.'),
  external_url: optional(Address, 'Address of the service.'),
  shared_secret: optional(
    Secret,
    'Key of the signature that each request gets in `X-Gitlab-Signature`; empty for none.',
  ),
  protected_branch_ids: optional(
    BranchIds,
    'IDs of the protected branches for which it is; an empty list for all branches.',
  ),
})
export type EditStatusCheck = Static<typeof EditStatusCheck>

export const OneStatusCheck = Type.Object(byCheck)

const mergeRequest = {
  merge_request_iid: described(Type.Integer(), 'Number of the merge request within its project.'),
}
export const OfMergeRequest = Type.Object(mergeRequest)

export const RespondToCheck = Type.Object({
  ...mergeRequest,
  sha: described(
    Type.String({ maxLength: 64 }),
    'ID of the commit that was checked, the head of the source branch.',
  ),
  external_status_check_id: described(Type.Integer(), 'ID of the status check.'),
  status: optional(Status, 'What the service says; by default `passed`.'),
})
export type RespondToCheck = Static<typeof RespondToCheck>

export const RetryCheck = Type.Object({
  ...mergeRequest,
  external_status_check_id: described(Type.Integer(), 'ID of the status check.'),
})

export const Accepted = Type.Object({ message: described(Type.String(), 'Always `202 Accepted`.') })
