import type { Id, Json, Timestamp } from '../columns.js'

export type AuditEntityType = 'User' | 'Group' | 'Project'

/**
 * Details of an audit event (API, L4). They contain no parameter values, which may be secret, except for
 * attributes that an operation names in `changes`.
 */
export type AuditDetails = Record<string, string | number | boolean | null>

/** A recorded operation. */
export interface AuditEvent {
  author_id: number
  entity_type: AuditEntityType
  entity_id: number
  details: AuditDetails
}

export interface AuditEventTable {
  id: Id
  author_id: number
  entity_type: AuditEntityType
  entity_id: number
  details: Json<AuditDetails>
  created_at: Timestamp
}

/** A started operation whose outcome is not recorded yet. */
export interface AuditIntentTable {
  id: Id
  event: Json<AuditEvent>
  created_at: Timestamp
}
