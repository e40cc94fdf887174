import type { Default, Id, Timestamp } from '../columns.js'

/** A rule about branches or tags whose name equals `name` or fits its `*`. */
export interface ProtectedRefTable {
  id: Id
  project_id: number
  kind: 'branch' | 'tag'
  name: string
  /** Least access level that may push (or create, for a tag); 0 = nobody. */
  push_access_level: number
  merge_access_level: number
  allow_force_push: Default<boolean>
  created_at: Timestamp
}

/** Somebody who may push to (or create) the refs of a rule, or merge into them, whatever their role is. */
export interface ProtectedRefAccessTable {
  id: Id
  protected_ref_id: number
  action: 'push' | 'merge'
  /** One of the two is set. */
  user_id: number | null
  group_id: number | null
}
