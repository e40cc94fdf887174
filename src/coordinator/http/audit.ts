import { isRecord } from '../../lib/is-record.js'
import { isChange } from '../access/access.js'
import type { User } from '../access/caller.js'
import { LEVEL_NAMES } from '../access/level-names.js'
import type { AuditDetails, AuditEntityType, AuditEvent } from '../database/tables/audit-events.js'
import { type AuditSubject, auditSubject } from './audit-subject.js'
import type { AuditedCall } from './audited-call.js'
import { ApiResponse, type Operation } from './operation.js'

const VERBS = ['add', 'change', 'remove'] as const
const MAX_TEXT = 255
/** The author of events without a user. */
export const NOBODY = -1

/** The audit event of a refused password. It has no author (API, L4). */
export function failedLoginOf(user: User, address: string): AuditEvent {
  return {
    author_id: NOBODY,
    entity_type: 'User',
    entity_id: user.id,
    details: {
      failed_login: 'STANDARD',
      author_name: user.username,
      target_id: user.id,
      target_type: 'User',
      target_details: user.username,
      ip_address: address,
      entity_path: user.username,
    },
  }
}

/** An event for each attribute that has changed from one value to another, or one for the whole call. */
export function auditEventsOf(
  operation: Operation,
  call: AuditedCall,
  result: unknown,
  before: unknown,
): AuditEvent[] {
  const event = auditEventOf(operation, call, result)
  if (!event) return []
  const { add: _add, change: _change, remove: _remove, ...details } = event.details
  const changes = changesOf(
    operation,
    new Map(Object.entries(isRecord(before) ? before : {})),
    recordOf(result),
  )
  if (changes.length === 0) return [event]
  return changes.map((change) => ({ ...event, details: { ...change, ...details } }))
}

function changesOf(
  { changes }: Operation,
  before: Map<string, unknown>,
  after: Record<string, unknown>,
): AuditDetails[] {
  return (changes?.attributes ?? [])
    .filter((name) => before.has(name) && name in after)
    .map((name) => ({
      change: name,
      from: auditedValue(name, before.get(name)),
      to: auditedValue(name, after[name]),
    }))
    .filter(({ from, to }) => from !== to)
}

/** The value for display: access levels and visibilities by name (API, L4). */
function auditedValue(attribute: string, value: unknown): string | number | boolean | null {
  if (Array.isArray(value)) return value.map((each) => auditedValue(attribute, each)).join(', ')
  if (isRecord(value)) return auditedValue(attribute, value['access_level_description'])
  if (attribute === 'access_level' && typeof value === 'number') return LEVEL_NAMES.get(value) ?? value
  if (attribute === 'visibility' && typeof value === 'string') {
    return value.slice(0, 1).toUpperCase() + value.slice(1)
  }
  if (typeof value === 'string') return value.slice(0, MAX_TEXT)
  return typeof value === 'number' || typeof value === 'boolean' ? value : null
}

/** Whether calls of the operation are recorded in the audit trail. Read-only operations and marks of a reader are not. */
export function isAudited(operation: Operation): boolean {
  return isChange(operation) && !operation.changesOwnMarks
}

/**
 * The audit event of a successful call; undefined if nothing changed. It is derived from the declaration and
 * the response, so new operations need no audit code.
 */
export function auditEventOf(
  operation: Operation,
  call: AuditedCall,
  result: unknown,
): AuditEvent | undefined {
  if (!isAudited(operation)) return undefined
  if (result instanceof ApiResponse && result.status === 304) return undefined
  const record = recordOf(result)
  const entity = entityOf(operation, call, record)
  const { author, sudoBy, jobId, address, requestId, agent } = call
  const subject = auditSubject(operation, call.inPath, record)
  const audited = operation.audit?.(call, record) ?? {}
  return {
    author_id: (sudoBy ?? author).id,
    entity_type: entity.type,
    entity_id: entity.id,
    details: {
      // An operation can name a more specific verb itself.
      ...(VERBS.some((verb) => verb in audited) ? {} : { [subject.verb]: subject.resource }),
      custom_message: operation.summary,
      author_name: (sudoBy ?? author).name,
      ...(sudoBy && { as_user: author.username }),
      ...(jobId !== undefined && { job_id: jobId }),
      ...(agent !== undefined && { agent }),
      ...targetOf(subject, record),
      ip_address: address,
      entity_path: entity.path,
      operation: `${operation.method} ${operation.path}`,
      request_id: requestId,
      ...audited,
    },
  }
}

interface Entity {
  type: AuditEntityType
  id: number
  path: string
}

/** The project or group of the path, the created one, the user of the path, or the caller. */
function entityOf(
  { path }: Operation,
  { project, group, params, inPath, author }: AuditedCall,
  record: Record<string, unknown>,
): Entity {
  if (project) return { type: 'Project', id: project.id, path: project.full_path }
  if (group) return { type: 'Group', id: group.id, path: group.full_path }
  const type = ENTITIES[path.split('/')[1] ?? '']
  const id = Number(params['user_id'] ?? inPath['id'] ?? record['id'])
  if (type === undefined || !Number.isSafeInteger(id)) {
    return { type: 'User', id: author.id, path: author.username }
  }
  return { type, id, path: nameOf(record) ?? String(id) }
}

const ENTITIES: Record<string, AuditEntityType> = { projects: 'Project', groups: 'Group', users: 'User' }

function targetOf({ type, id }: AuditSubject, record: Record<string, unknown>): AuditDetails {
  const name = nameOf(record)
  return {
    target_id: numberOrText(id),
    target_type: type,
    ...(name !== undefined && { target_details: clip(name) }),
  }
}

function nameOf(record: Record<string, unknown>): string | undefined {
  const names = ['path_with_namespace', 'full_path', 'username', 'name', 'tag_name', 'title', 'description']
  const name = names.map((each) => record[each]).find((each) => typeof each === 'string' && each !== '')
  return typeof name === 'string' ? name : undefined
}

function recordOf(result: unknown): Record<string, unknown> {
  const body = result instanceof ApiResponse ? result.body : result
  return isRecord(body) ? body : {}
}

/** Ids in a path are texts. */
function numberOrText(id: unknown): string | number | null {
  if (typeof id === 'string') return /^\d{1,15}$/.test(id) ? Number(id) : id.slice(0, MAX_TEXT)
  return typeof id === 'number' ? id : null
}

function clip(value: string): string {
  return value.slice(0, MAX_TEXT)
}
