import type { AuditDetails } from '../../database/tables/audit-events.js'

/** What of an application the audit trail records before and after a change. */
export const CHANGED_ATTRIBUTES = ['application_name', 'callback_url', 'scopes', 'confidential'] as const

export function nameIn({ application_name: name }: Record<string, unknown>): AuditDetails {
  return typeof name === 'string' ? { target_details: name } : {}
}
