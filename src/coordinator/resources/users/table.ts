import type { Default, Id, Json, Timestamp } from '../../database/columns.js'

export interface UserTable {
  id: Id
  username: string
  name: string
  email: string
  state: 'active' | 'blocked'
  is_admin: boolean
  created_at: Timestamp
}

export interface PersonalAccessTokenTable {
  id: Id
  user_id: number
  name: string
  /** SHA-256 of the token, hex. */
  digest: string
  scopes: Json<string[]>
  revoked: Default<boolean>
  expires_at: Timestamp | null
  created_at: Timestamp
}
