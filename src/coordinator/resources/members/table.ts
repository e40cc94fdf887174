import type { Id, Timestamp } from '../../database/columns.js'

/** 10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner (API gaps, A15). */
export interface MemberTable {
  id: Id
  project_id: number
  user_id: number
  access_level: number
  expires_at: Timestamp | null
  created_at: Timestamp
}
