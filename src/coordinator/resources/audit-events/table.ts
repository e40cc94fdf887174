import type { Id, Json, Timestamp } from '../../database/columns.js'
import type { AuditDetails, AuditEntityType } from '../../http/audit.js'

export interface AuditEventTable {
  id: Id
  author_id: number
  entity_type: AuditEntityType
  entity_id: number
  details: Json<AuditDetails>
  created_at: Timestamp
}
