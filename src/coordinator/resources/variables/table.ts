import type { Default, Id, Timestamp } from '../../database/columns.js'

export interface CiVariableTable {
  id: Id
  project_id: number
  key: string
  value_encrypted: string
  variable_type: 'env_var' | 'file'
  protected: Default<boolean>
  masked: Default<boolean>
  raw: Default<boolean>
  environment_scope: Default<string>
  description: string | null
  created_at: Timestamp
  updated_at: Timestamp
}
