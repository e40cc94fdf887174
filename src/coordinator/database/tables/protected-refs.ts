import type { Default, Id, Timestamp } from '../columns.js'

/** A protection rule for branches or tags whose name equals `name` or matches its wildcard. */
export interface ProtectedRefTable {
  id: Id
  project_id: number
  kind: 'branch' | 'tag'
  name: string
  /** Minimum access level to push (or create, for a tag); 0 = no one. */
  push_access_level: number
  merge_access_level: number
  allow_force_push: Default<boolean>
  /** Whether merges into a branch need the approvals of the owners of the changed files. */
  code_owner_approval_required: Default<boolean>
  created_at: Timestamp
}

/** A user or group that may push to (or create) the refs of a rule, or merge into them, whatever the role. */
export interface ProtectedRefAccessTable {
  id: Id
  protected_ref_id: number
  action: 'push' | 'merge'
  /** One of the two is set. */
  user_id: number | null
  group_id: number | null
}
