import type { AuditDetails, AuditEntityType, AuditEvent } from '../../http/audit.js'
import type { Id, Json, Timestamp } from '../columns.js'

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
