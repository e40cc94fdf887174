import type { Default, Id, Timestamp } from '../columns.js'

/** Settings variables. Of the columns `project_id` and `namespace_id` one is set, or none: of the whole instance. */
export interface CiVariableTable {
  id: Id
  project_id: number | null
  /** A group. */
  namespace_id: number | null
  key: string
  value_encrypted: string
  variable_type: 'env_var' | 'file'
  protected: Default<boolean>
  masked: Default<boolean>
  /** Never shown again; masked, too. */
  hidden: Default<boolean>
  raw: Default<boolean>
  /** Always `*` for the instance. */
  environment_scope: Default<string>
  description: string | null
  created_at: Timestamp
  updated_at: Timestamp
}
