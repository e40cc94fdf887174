import type { Default, Id, Timestamp } from '../columns.js'

/** CI variables. One of `project_id` and `namespace_id` is set, or neither for the instance. */
export interface CiVariableTable {
  id: Id
  project_id: number | null
  /** ID of a group. */
  namespace_id: number | null
  key: string
  value_encrypted: string
  variable_type: 'env_var' | 'file'
  protected: Default<boolean>
  masked: Default<boolean>
  /** Whether the value is never shown again; it is also masked. */
  hidden: Default<boolean>
  raw: Default<boolean>
  /** Always `*` for the instance. */
  environment_scope: Default<string>
  description: string | null
  created_at: Timestamp
  updated_at: Timestamp
}
