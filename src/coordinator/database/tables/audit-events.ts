import type { Id, Json, Timestamp } from '../columns.js'

export type AuditEntityType = 'User' | 'Group' | 'Project'

/**
 * Free-form facts (API, L4). No value of a parameter is among them, for it might be a secret, but those of
 * attributes that an operation names in `changes`.
 */
export type AuditDetails = Record<string, string | number | boolean | null>

/** What somebody has done. */
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

/** Something that was begun and of which the trail does not say yet what came of it. */
export interface AuditIntentTable {
  id: Id
  event: Json<AuditEvent>
  created_at: Timestamp
}
