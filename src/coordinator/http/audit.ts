import { isRecord } from '../../lib/is-record.js'
import { Answer, type Group, type Operation, type Project, type User } from './operation.js'

export type AuditEntityType = 'User' | 'Group' | 'Project'

/** Free-form facts (seed 1, "Audit event"). No value of a parameter is among them: it might be a secret. */
export type AuditDetails = Record<string, string | number | null>

/** What somebody has done. */
export interface AuditEvent {
  author_id: number
  entity_type: AuditEntityType
  entity_id: number
  details: AuditDetails
}

export type RecordAudit = (event: AuditEvent) => Promise<void>

/** One call of an operation, as far as the audit trail is concerned. */
export interface AuditedCall {
  params: Record<string, unknown>
  inPath: Record<string, unknown>
  author: User
  sudoBy: User | undefined
  project?: Project
  group?: Group
  address: string
  requestId: string
}

const VERBS = { POST: 'add', PUT: 'change', PATCH: 'change', DELETE: 'remove' } as const
const MAXIMUM_TEXT = 255

/**
 * The trail of a call that succeeded; undefined where nothing was changed. Everything is read off the declaration and the
 * record that is answered: a new operation leaves its trail without a line of its own.
 */
export function auditEventOf(
  operation: Operation,
  call: AuditedCall,
  result: unknown,
): AuditEvent | undefined {
  if (operation.method === 'GET' || operation.changesNothing) return undefined
  if (result instanceof Answer && result.status === 304) return undefined
  const record = recordOf(result)
  const entity = entityOf(operation, call, record)
  const { author, sudoBy, address, requestId } = call
  return {
    author_id: (sudoBy ?? author).id,
    entity_type: entity.type,
    entity_id: entity.id,
    details: {
      [VERBS[operation.method]]: nounOf(operation.path).toLowerCase(),
      custom_message: operation.summary,
      author_name: (sudoBy ?? author).name,
      ...(sudoBy && { as_user: author.username }),
      ...targetOf(operation, call, record),
      ip_address: address,
      entity_path: entity.path,
      operation: `${operation.method} ${operation.path}`,
      request_id: requestId,
      ...operation.audit?.(call),
    },
  }
}

interface Entity {
  type: AuditEntityType
  id: number
  path: string
}

/** The project or group of the path, the one that was made, the user of the path, or whoever acts. */
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

/** What was changed, if it has a number or a name of its own. */
function targetOf(
  { path }: Operation,
  { inPath }: AuditedCall,
  record: Record<string, unknown>,
): AuditDetails {
  const { id: _entity, ...others } = inPath
  const [last] = Object.values(others).slice(-1)
  const id = last ?? record['id'] ?? inPath['id']
  const name = nameOf(record)
  return {
    target_id: typeof id === 'string' || typeof id === 'number' ? clip(id) : null,
    target_type: nounOf(path),
    ...(name !== undefined && { target_details: clip(name) }),
  }
}

function nameOf(record: Record<string, unknown>): string | undefined {
  const names = ['path_with_namespace', 'full_path', 'username', 'name', 'tag_name', 'title', 'description']
  const name = names.map((each) => record[each]).find((each) => typeof each === 'string' && each !== '')
  return typeof name === 'string' ? name : undefined
}

/** `/projects/:id/protected_branches/:name` is about a `ProtectedBranch`. */
function nounOf(path: string): string {
  const words = path.split('/').filter((segment) => /^\w/.test(segment))
  const singular = (words.at(-1) ?? '')
    .replace(/ies$/, 'y')
    .replace(/(ch|sh|x)es$/, '$1')
    .replace(/s$/, '')
  return singular.replace(/(?:^|_)(\w)/g, (_match, letter: string) => letter.toUpperCase())
}

function recordOf(result: unknown): Record<string, unknown> {
  const body = result instanceof Answer ? result.body : result
  return isRecord(body) ? body : {}
}

function clip(value: string | number): string | number {
  return typeof value === 'string' ? value.slice(0, MAXIMUM_TEXT) : value
}
