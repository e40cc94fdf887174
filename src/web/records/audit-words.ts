import type { AuditEvent } from '../../coordinator/accounts/audit-events/schema.js'
import { auditNumber } from './audit-values.js'
import { pastTense } from './past-tense.js'

/** An audit event in words. */
export interface AuditWords {
  author: string
  /** The user as whom an administrator acted. */
  asUser: string | undefined
  address: string | undefined
  /** What was done, such as "Updated a project". */
  action: string
  /** The role that a member was given. */
  asRole: string | undefined
  /** What was changed from one value to another, such as "visibility". */
  attribute: string | undefined
  /** Values before and after a change. */
  change: { from: string; to: string } | undefined
  /** What it was done to, such as "group/app". */
  target: string
  /** Type of the target, such as "Deploy key". */
  targetType: string
  /** What the event belongs to: path of a project or group, or name of a user. */
  entity: string | undefined
}

/** The details of an audit event. Each of them may be absent: events outlive what they name. */
export function auditWords({
  details,
  entity_type: entityType,
  author_id: authorId,
}: AuditEvent): AuditWords {
  const text = (name: string) => shown(details[name])
  const changed = text('change')
  const message = text('custom_message')
  const isChange = changed !== undefined && ('from' in details || 'to' in details)
  return {
    author: text('author_name') ?? (authorId === -1 ? 'nobody' : `user ${authorId}`),
    asUser: text('as_user'),
    address: text('ip_address'),
    action: (message === undefined ? undefined : pastTense(message)) ?? firstOf(details) ?? 'Unknown',
    asRole: text('as'),
    attribute: isChange ? inWords(changed) : undefined,
    change: isChange
      ? { from: formatValue(changed, details['from']), to: formatValue(changed, details['to']) }
      : undefined,
    // Some events about accounts name them by ID.
    target: targetOf(details) ?? text('entity_path')?.replace(/^\d+$/, '#$&') ?? '',
    targetType: typeInWords(text('target_type') ?? entityType),
    entity: text('entity_path'),
  }
}

function formatValue(attribute: string, value: unknown): string {
  return typeof value === 'number' ? auditNumber(attribute, value) : (shown(value) ?? 'nothing')
}

/** A name that is the ID of its object, such as that of a branch, is the target where nothing else names it. */
function targetOf(details: AuditEvent['details']): string | undefined {
  const { target_id: id, target_details: name, target_type: type } = details
  const textId = typeof id === 'string' ? shown(id) : undefined
  if (type === 'Variable') return textId ?? shown(name)
  const number = typeof id === 'number' && typeof type === 'string' ? id : undefined
  // The record of a pipeline names the project.
  if (number !== undefined && type === 'Pipeline') return `#${number}`
  return shown(name) ?? textId ?? (number === undefined ? undefined : `#${number}`)
}

/** `PipelineSchedule` as "Pipeline schedule". */
function typeInWords(type: string): string {
  const words = type.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.replace(/^Ssh /, 'SSH ').replace(/^Gpg /, 'GPG ')
}

function inWords(name: string): string {
  return name.replaceAll('_', ' ')
}

const PAST = { add: 'Added', remove: 'Removed', change: 'Changed' }

function firstOf(details: AuditEvent['details']): string | undefined {
  if ('failed_login' in details) return 'Refused sign-in'
  const verb = (['add', 'remove', 'change'] as const).find((name) => name in details)
  return verb && `${PAST[verb]} ${inWords(shown(details[verb]) ?? '')}`
}

function shown(value: unknown): string | undefined {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' && value !== ''
    ? value
    : typeof value === 'number'
      ? String(value)
      : undefined
}
