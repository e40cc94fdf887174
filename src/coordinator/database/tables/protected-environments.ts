import type { Default, Id, Timestamp } from '../columns.js'

/** Jobs that have to do with such an environment run for its deployers alone. Of `project_id` and `group_id` one is set. */
export interface ProtectedEnvironmentTable {
  id: Id
  project_id: number | null
  group_id: number | null
  /** Name of an environment of the project, or a tier of the environments in the group. */
  name: string
  /** Approvals by deployers that a deployment needs where no entry asks for approvals. */
  required_approval_count: Default<number>
  created_at: Timestamp
}

/** Who may deploy, or who must approve. At most one of level, user and group is set; none = its user or group is deleted. */
export interface ProtectedEnvironmentEntryTable {
  id: Id
  protected_environment_id: number
  kind: 'deploy' | 'approve'
  /** Least level in the project; 60 = administrators. */
  access_level: number | null
  user_id: number | null
  group_id: number | null
  /** Which members of the group: 0 = its own, 1 = also those that it inherits from the groups above it. */
  group_inheritance_type: Default<number>
  /** Of an entry that asks for approvals. */
  required_approvals: Default<number>
}

export const APPROVAL_STATUSES = ['approved', 'rejected'] as const

export interface DeploymentApprovalTable {
  id: Id
  deployment_id: number
  /** Null = the user is deleted. */
  user_id: number | null
  /** The entry that the approval counts for; null = there was none, or it is deleted. */
  entry_id: number | null
  /** It counts for the number of approvals that the protected environment demands of its deployers. */
  is_of_deployer: Default<boolean>
  status: (typeof APPROVAL_STATUSES)[number]
  comment: string | null
  created_at: Timestamp
}
