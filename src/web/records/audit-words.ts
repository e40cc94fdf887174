import type { AuditEvent } from '../../coordinator/accounts/audit-events/schema.js'

/** An audit event in words. */
export interface AuditWords {
  author: string
  /** The user as whom an administrator acted. */
  asUser: string | undefined
  address: string | undefined
  /** What was done, such as "Update a project". */
  action: string
  /** What was added, removed or changed, such as "visibility". */
  attribute: string | undefined
  /** Values before and after a change. */
  change: { from: string; to: string } | undefined
  /** What it was done to, such as "group/app". */
  target: string
  /** Type of the target, such as "Project". */
  targetType: string
}

/** The details of an audit event. Each of them may be absent: events outlive what they name. */
export function auditWords({
  details,
  entity_type: entityType,
  author_id: authorId,
}: AuditEvent): AuditWords {
  const text = (name: string) => shown(details[name])
  const changed = text('change')
  return {
    author: text('author_name') ?? (authorId === -1 ? 'nobody' : `user ${authorId}`),
    asUser: text('as_user'),
    address: text('ip_address'),
    action: text('custom_message') ?? firstOf(details) ?? 'Unknown',
    attribute: changed ?? text('add') ?? text('remove'),
    change:
      changed !== undefined && ('from' in details || 'to' in details)
        ? { from: text('from') ?? 'nothing', to: text('to') ?? 'nothing' }
        : undefined,
    target: targetOf(details) ?? text('entity_path') ?? '',
    targetType: text('target_type') ?? entityType,
  }
}

/** A name that is the ID of its object, such as that of a branch, is the target where nothing else names it. */
function targetOf(details: AuditEvent['details']): string | undefined {
  const { target_id: id, target_details: name, target_type: type } = details
  const textId = typeof id === 'string' ? shown(id) : undefined
  return type === 'Variable' ? (textId ?? shown(name)) : (shown(name) ?? textId)
}

function firstOf(details: AuditEvent['details']): string | undefined {
  if ('failed_login' in details) return 'Refused sign-in'
  const verb = ['add', 'remove', 'change'].find((name) => name in details)
  return verb && `${verb[0]?.toUpperCase()}${verb.slice(1)} ${shown(details[verb]) ?? ''}`
}

function shown(value: unknown): string | undefined {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' && value !== ''
    ? value
    : typeof value === 'number'
      ? String(value)
      : undefined
}
