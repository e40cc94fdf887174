import type { Method, Operation } from './operation.js'

/** The action and its target, in the terms of the audit trail. */
export interface AuditSubject {
  verb: 'add' | 'change' | 'remove'
  /** `protected_branch` of `/projects/:id/protected_branches/:name`. */
  resource: string
  /** The kind of the target: `ProtectedBranch`. */
  type: string
  /** Id or name of the target; undefined if it has neither. */
  id: unknown
}

/** Path segments that name an action on the preceding resource, not a resource. */
const ACTIONS = new Set([
  'activate',
  'add_spent_time',
  'apply',
  'approval',
  'approve',
  'archive',
  'avatar',
  'ban',
  'batch_apply',
  'block',
  'bulk_publish',
  'cancel',
  'cancel_merge_when_pipeline_succeeds',
  'cherry_pick',
  'clone',
  'confirm',
  'deactivate',
  'disable_two_factor',
  'enable',
  'erase',
  'extend',
  'follow',
  'fork',
  'housekeeping',
  'import',
  'keep',
  'mark_as_done',
  'mark_as_pending',
  'merge',
  'metadata',
  'move',
  'password',
  'play',
  'promote',
  'protect',
  'publish',
  'pull',
  'rebase',
  'reject',
  'renew-secret',
  'reorder',
  'resend',
  'reset_approvals',
  'reset_authentication_token',
  'reset_registration_token',
  'reset_spent_time',
  'reset_time_estimate',
  'restore',
  'retry',
  'revert',
  'revoke',
  'rotate',
  'self',
  'star',
  'stop',
  'stop_stale',
  'subscribe',
  'sync',
  'take_ownership',
  'test',
  'time_estimate',
  'transfer',
  'unarchive',
  'unapprove',
  'unban',
  'unblock',
  'unfollow',
  'unprotect',
  'unschedule',
  'unstar',
  'unsubscribe',
  'user',
])
/** Actions that create a new object. */
const MAKING = new Set(['cherry_pick', 'clone', 'fork', 'import', 'move', 'revert'])

/** Types whose name differs from their URL, by its last word or its last two (API, L4). */
const TYPES: Record<string, string> = {
  access_requests: 'User',
  access_tokens: 'PersonalAccessToken',
  allowlist: 'Project',
  'application/settings': 'ApplicationSetting',
  'assets/links': 'ReleaseLink',
  comments: 'Note',
  events: 'HookEvent',
  groups_allowlist: 'Group',
  services: 'Integration',
  import_project_members: 'Project',
  impersonation_tokens: 'PersonalAccessToken',
  'issues/links': 'IssueLink',
  job_token_scope: 'Project',
  members: 'User',
  merged_branches: 'Branch',
  mirror: 'PullMirror',
  preferences: 'UserPreference',
  review_apps: 'Environment',
  'set_up/steps': 'SetUp',
  share: 'Group',
  status: 'UserStatus',
  status_checks: 'ExternalStatusCheck',
  statuses: 'CommitStatus',
}

const VERBS = { GET: 'change', POST: 'add', PUT: 'change', PATCH: 'change', DELETE: 'remove' } as const

/** Derives the audit subject from a route. `inPath` holds the path parameters, `record` the response body. */
export function auditSubject(
  { method, path }: Pick<Operation, 'method' | 'path'>,
  inPath: Record<string, unknown>,
  record: Record<string, unknown>,
): AuditSubject {
  const segments = path.split('/').filter((segment) => segment !== '')
  const words = segments.filter((segment) => !isParameter(segment))
  const word = words.findLast((each) => !ACTIONS.has(each)) ?? 'users'
  const action = words.at(-1) === word ? undefined : words.at(-1)
  const parameter = segments[segments.lastIndexOf(word) + 1]
  const named = parameter !== undefined && isParameter(parameter) ? inPath[parameter.slice(1)] : undefined
  const verb = verbOf(method, { action, isNamed: parameter?.endsWith('id') ?? false, last: segments.at(-1) })
  const identity = [record['id'], record['tag_name'], record['name'], record['key']].find(
    (id) => id !== undefined,
  )
  return {
    verb,
    resource: singular(word),
    type: TYPES[`${words[words.lastIndexOf(word) - 1]}/${word}`] ?? TYPES[word] ?? camelCase(singular(word)),
    id: verb === 'add' ? (record['id'] ?? named ?? identity) : (named ?? identity),
  }
}

interface Ending {
  action: string | undefined
  /** The object already exists; its id is in the path. */
  isNamed: boolean
  last: string | undefined
}

function verbOf(method: Method, { action, isNamed, last }: Ending): AuditSubject['verb'] {
  if (action === undefined) return method === 'POST' && isNamed ? 'change' : VERBS[method]
  if (action === 'self' || action === 'user') return VERBS[method]
  return MAKING.has(action) && action === last && method === 'POST' ? 'add' : 'change'
}

function isParameter(segment: string): boolean {
  return /^[:*]/.test(segment)
}

function singular(word: string): string {
  return word
    .replace(/ies$/, 'y')
    .replace(/((?<!ca)ch|sh|x|us)es$/, '$1')
    .replace(/([^u])s$/, '$1')
}

function camelCase(word: string): string {
  return word.replace(/(?:^|_)(\w)/g, (_match, letter: string) => letter.toUpperCase())
}
