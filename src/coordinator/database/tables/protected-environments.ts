import type { Default, Id, Timestamp } from '../columns.js'

/** Only deployers may run jobs with such an environment. One of `project_id` and `group_id` is set. */
export interface ProtectedEnvironmentTable {
  id: Id
  project_id: number | null
  group_id: number | null
  /** Name of an environment of the project, or tier of the environments in the group. */
  name: string
  /** Number of approvals by deployers that a deployment needs if no entry requires approvals. */
  required_approval_count: Default<number>
  created_at: Timestamp
}

/**
 * A rule on who may deploy or who must approve. At most one of level, user and group is set; none = the user
 * or group was deleted.
 */
export interface ProtectedEnvironmentEntryTable {
  id: Id
  protected_environment_id: number
  kind: 'deploy' | 'approve'
  /** Minimum access level in the project; 60 = administrators. */
  access_level: number | null
  user_id: number | null
  group_id: number | null
  /** Members of the group that count: 0 = direct ones, 1 = also those inherited from ancestors. */
  group_inheritance_type: Default<number>
  /** Number of approvals that the entry requires. */
  required_approvals: Default<number>
}

export const APPROVAL_STATUSES = ['approved', 'rejected'] as const

export interface DeploymentApprovalTable {
  id: Id
  deployment_id: number
  /** Null = the user was deleted. */
  user_id: number | null
  /** The entry for which the approval counts; null = none, or it was deleted. */
  entry_id: number | null
  /** Whether it counts towards the approvals that the protected environment requires from its deployers. */
  is_of_deployer: Default<boolean>
  status: (typeof APPROVAL_STATUSES)[number]
  comment: string | null
  created_at: Timestamp
}
