import type { AuditDetails } from '../../../database/tables/audit-events.js'
import type { AuditedCall } from '../../../http/audited-call.js'

type DescribeAudit = (call: AuditedCall, record: Record<string, unknown>) => AuditDetails

/** Audit text for a new token, without the token itself (API, L4). */
export function createdToken(kind: string): DescribeAudit {
  return (_call, { id }) => ({ add: 'token', custom_message: `Created ${kind} with id ${numberOf(id)}` })
}

/** The ID of the token is the parameter `name`; without `name`, it is the token of the call. */
export function revokedToken(kind: string, name?: string): DescribeAudit {
  return ({ params, tokenId }) => {
    const id = numberOf(name === undefined ? tokenId : params[name])
    return { remove: 'token', custom_message: `Revoked ${kind} with id ${id}`, target_id: id }
  }
}

export function rotatedToken(kind: string, name?: string): DescribeAudit {
  return ({ params, tokenId }, record) => {
    const before = numberOf(name === undefined ? tokenId : params[name])
    const custom_message = `Rotated ${kind} with id ${before}: the new one has id ${numberOf(record['id'])}`
    return { change: 'token', custom_message, target_id: before }
  }
}

function numberOf(id: unknown): number | null {
  return typeof id === 'number' ? id : null
}
