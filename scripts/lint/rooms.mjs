// Which folder may import which. The linter calls `refusal` for every import under src/ (room-imports.mjs).
import { posix } from 'node:path'

/**
 * The folders and files of `folder`, from the top line down. A room imports what is on the lines below its own; rooms on
 * one line do not import each other. `FILES` are the files of the folder itself that no line names; among themselves they
 * import each other. A folder with three or more folders has a table.
 * @typedef {{ folder: string, lines: string[][] }} Rooms
 */

const FILES = '.'

/** @type {Rooms[]} */
export const tables = [
  {
    folder: 'src',
    lines: [
      ['cli', 'web'],
      ['coordinator', 'runner'],
      ['ci-config', 'git', 'archive', 'egress', 'masking', 'mcp', 's3'],
      ['protocol'],
      ['lib', 'addresses', 'code-owners', 'cron', 'error-catalogue'],
    ],
  },
  {
    folder: 'src/web',
    lines: [
      ['main'],
      ['page-modules'],
      ['pages'],
      ['planned'],
      ['discussion'],
      ['editor', 'job-log'],
      ['code', 'graph', 'log', 'records'],
      ['charts', 'statuses', 'text'],
      ['frame'],
      ['live'],
      ['api'],
      ['kit'],
    ],
  },
  {
    folder: 'src/web/records',
    lines: [['pipeline-fields', 'protected-environments', 'runners'], [FILES]],
  },
  {
    folder: 'src/coordinator/start',
    lines: [['operations'], [FILES], ['services'], ['config']],
  },
  {
    folder: 'src/coordinator',
    lines: [
      ['coordinator', 'support-bundle'],
      ['start'],
      ['backup'],
      ['mcp', 'pages', 'scim', 'live', 'bulk-imports'],
      ['sessions'],
      ['planning'],
      ['instance', 'accounts'],
      ['hosting'],
      ['integrations'],
      ['ci'],
      ['http'],
      ['intentions'],
      ['access'],
      ['background', 'crypto', 'egress'],
      ['database'],
    ],
  },
  {
    folder: 'src/coordinator/scim',
    lines: [['scim-routes'], ['users', 'groups', 'tokens'], [FILES], ['stores'], ['protocol']],
  },
  {
    folder: 'src/coordinator/instance',
    lines: [
      ['set-up'],
      ['appearance', 'broadcast-messages', 'metadata', 'overview', 'plan-limits', 'settings', 'statistics'],
    ],
  },
  {
    folder: 'src/coordinator/accounts',
    lines: [
      ['applications'],
      ['users', 'groups', 'audit-events', 'custom-attributes', 'notification-settings', 'oauth'],
      ['members', 'oauth-grant-store', 'terms', 'two-factor'],
    ],
  },
  {
    folder: 'src/coordinator/accounts/oauth',
    lines: [['token-routes'], ['openid'], ['grants'], ['authorize', 'device'], [FILES], ['pages']],
  },
  {
    folder: 'src/coordinator/accounts/users',
    lines: [
      [FILES],
      ['account'],
      ['deletion', 'emails'],
      ['state', 'keys', 'memberships', 'own', 'tokens', 'identities'],
      ['users', 'links'],
      ['store', 'account-rules', 'email-domains', 'known-passwords'],
      ['record'],
    ],
  },
  {
    folder: 'src/coordinator/planning',
    lines: [
      ['attention', 'notifications', 'search'],
      ['chat-commands', 'draft-notes', 'epic-issues', 'quick-actions', 'related', 'todos', 'user-counts'],
      [
        'award-emoji',
        'boards',
        'discussions',
        'epics',
        'issues',
        'markdown',
        'merge-requests',
        'milestones',
        'resource-events',
      ],
      ['labels', 'notes'],
      ['closing', 'suggestions'],
      [FILES],
      ['notices'],
      ['system-notes', 'time-tracking'],
      ['access', 'lists', 'transfer'],
      ['references'],
      ['stores'],
    ],
  },
  {
    folder: 'src/coordinator/planning/merge-requests',
    lines: [
      ['trains'],
      ['conflicts'],
      [
        ...[
          'approvals',
          'changed-coverage',
          'context-commits',
          'diffs',
          'merge',
          'pipelines',
          'refresh',
          'status-checks',
        ],
        ...['transfer', 'viewed-files'],
      ],
      [FILES],
      ['approval-rules'],
      ['code-owners'],
    ],
  },
  {
    folder: 'src/coordinator/database',
    lines: [['move'], ['stores', 'migrate'], ['migrations'], [FILES], ['tables'], ['columns']],
  },
  {
    folder: 'src/coordinator/database/migrations/0001-baseline',
    lines: [[FILES], ['accounts', 'ci', 'hosting', 'instance', 'integrations', 'planning']],
  },
  {
    folder: 'src/coordinator/hosting',
    lines: [
      [
        ...[
          'projects',
          'branches',
          'tags',
          'changelogs',
          'commits',
          'files',
          'repository-contents',
          'protected-refs',
        ],
        ...[
          'releases',
          'mirrors',
          'project-badges',
          'deploy-keys',
          'deploy-tokens',
          'push-rules',
          'pull-mirrors',
        ],
        'snippets',
        'topics',
        'wikis',
        'templates',
      ],
      ['lfs', 'ssh', 'licenses', 'signatures'],
      ['avatars', 'paths', 'repositories'],
      ['release-evidence'],
      [
        'protected-ref-store',
        'push-rule-store',
        'restricted-visibility',
        'mirror-user',
        'refuse-mirrors',
        'release-store',
        'milestone-store',
        'note-store',
        'topic-store',
      ],
      ['owner-scope', 'planned-changes', 'present-mirror-update'],
    ],
  },
  {
    folder: 'src/coordinator/hosting/projects',
    lines: [
      [FILES],
      ['deletion', 'fork', 'import', 'job-token-scope', 'transfer'],
      ['create', 'export'],
      ['statistics', 'uploads'],
      ['record'],
      ['settings', 'stars'],
      ['avatar'],
      ['store'],
      ['import-store', 'import-url', 'lock-listings', 'deleted-projects', 'may-delete'],
    ],
  },
  {
    folder: 'src/coordinator/hosting/repositories',
    lines: [
      ['first-commit'],
      ['change', 'housekeeping', 'http'],
      ['push'],
      [FILES],
      ['browse'],
      ['api-slot', 'changed-files', 'matching-files', 'object-readers'],
      ['git-semaphore'],
      ['errors', 'new-ref-problem', 'is-repository', 'service-settings'],
    ],
  },
  {
    folder: 'src/coordinator/http',
    lines: [
      [FILES],
      ['openapi', 'presenters', 'paging', 'body-limits'],
      ['authentication'],
      ['rate-limits', 'parameters'],
      ['operation'],
      ['errors', 'audited-call', 'page', 'version'],
    ],
  },
  {
    folder: 'src/coordinator/integrations',
    lines: [['services'], ['webhooks'], ['mail', 'activity-events', 'resource-event-log']],
  },
  {
    folder: 'src/coordinator/integrations/webhooks',
    lines: [
      [FILES],
      ['payloads'],
      ['deliveries'],
      ['outbox'],
      ['delivery-store'],
      ['hook-store'],
      ['hook-health'],
    ],
  },
  {
    folder: 'src/coordinator/ci',
    lines: [
      ['sites', 'terminals'],
      ['holds'],
      [
        ...[
          'jobs',
          'pipelines',
          'runners',
          'caches',
          'runner-statistics',
          'pipeline-traces',
          'schedules',
          'triggers',
          'variables',
          'environments',
        ],
        ...['protected-environments', 'deployments', 'resource-groups', 'commit-statuses', 'lint'],
        ...['secure-files', 'status-badges', 'test-cases', 'freeze-periods', 'feature-flags'],
      ],
      ['failures'],
      ['engine'],
      ['queue', 'trigger-store'],
      ['predefined-variables', 'signals', 'storage'],
      ['site-addresses'],
    ],
  },
  {
    folder: 'src/coordinator/ci/storage',
    lines: [
      ['deleted-jobs', 'delete-project-files'],
      ['log-excerpts'],
      ['log-failure'],
      ['trace-indexes'],
      ['artifacts', 'caches', 'traces', 'move-between'],
      ['open-blob-store'],
      ['s3', 'orphans'],
      [FILES],
      ['trace-index'],
    ],
  },
  {
    folder: 'src/coordinator/ci/engine',
    lines: [
      ['downstream'],
      ['create', 'dispatch', 'environments', 'finish', 'reports', 'retry'],
      ['advance'],
      ['jobs'],
      ['merge-requests'],
      ['deployments', 'hierarchy', 'permissions', 'sites'],
      ['job-status-store'],
      ['commit-status-store', 'job-log-store', 'job-variable-store', 'merge-request-store'],
      ['job-store'],
      ['pipeline-store', 'stage-store', 'user-store'],
      ['archived-jobs', 'artifact-readers', 'missing-bytes', 'trace-access', 'engine-events', 'stored-ref'],
      ['engine-deps', 'errors', 'job-actions', 'commit-order'],
      ['engine-notifications', 'job-status'],
      ['job-statuses', 'outside-sources', 'pipeline-limits', 'pipeline-source'],
    ],
  },
  {
    folder: 'src/coordinator/ci/pipelines',
    lines: [
      ['retention'],
      [FILES],
      ['everywhere'],
      ['details', 'exposed-artifacts', 'failures', 'graph', 'statistics'],
      ['pipeline-operations-deps', 'present', 'store', 'word-store'],
      ['detailed-status'],
      ['schema'],
    ],
  },
  {
    folder: 'src/coordinator/ci/jobs',
    lines: [
      [FILES],
      ['artifacts', 'request', 'details', 'reproduction'],
      ['payload', 'runner-sessions', 'trace'],
      ['authenticate-job', 'send-bytes'],
      ['byte-range', 'store'],
      ['job-names'],
    ],
  },
  {
    folder: 'src/ci-config',
    lines: [
      ['compile', 'keywords'],
      ['planning'],
      ['checks'],
      ['include'],
      ['entries'],
      ['inputs'],
      ['reuse', 'selection', 'variables'],
      ['yaml', 'expressions'],
      ['plan'],
      [FILES],
    ],
  },
  {
    folder: 'src/cli/commands',
    lines: [['admin'], [FILES], ['lint', 'local', 'mcp', 'runner', 'shell', 'up']],
  },
  {
    folder: 'src/runner',
    lines: [
      ['daemon'],
      ['runner', 'control', 'listen', 'systemd', 'memory'],
      ['metrics'],
      ['registrations'],
      ['holds', 'helper'],
      ['poller', 'job', 'disk-cleanup'],
      ['config'],
      ['cache', 'artifacts', 'executor', 'secrets'],
      ['variables'],
      ['workspace'],
      ['trace'],
      ['client'],
    ],
  },
  {
    folder: 'src/runner/executor',
    lines: [['kubernetes'], ['docker', 'supervisor'], ['output'], [FILES]],
  },
  {
    folder: 'src/runner/helper',
    lines: [['client', 'server'], [FILES], ['protocol']],
  },
  {
    folder: 'src/runner/executor/docker/autoscaler',
    lines: [[FILES], ['plan'], ['plugins', 'ledger', 'policy'], ['model']],
  },
  {
    folder: 'src/runner/executor/kubernetes/cluster',
    lines: [
      ['create-cluster'],
      ['api-cluster'],
      ['access-review', 'watch'],
      ['cluster-times'],
      ['exec'],
      ['api'],
      ['credentials'],
      ['cluster'],
    ],
  },
]

/**
 * Only these folders of the runner may import the implementations of the executor. The others only use its interface. Images,
 * their credentials and services have the same rules in a cluster as at an engine.
 */
const IMPLEMENTATIONS = ['src/runner/executor/docker/', 'src/runner/executor/kubernetes/']
const KNOWS_IMPLEMENTATION = ['config', 'disk-cleanup', 'registrations']

/** Rooms that compute: no disk, network, database or process, so no package but these. @type {Record<string, string[]>} */
const pure = {
  'src/mcp': ['@modelcontextprotocol/sdk', 'typebox'],
  'src/protocol': ['typebox'],
  'src/ci-config': ['lru-cache', 'typebox', 'yaml', 're2js'],
  'src/code-owners': [],
  'src/cron': ['croner'],
  'src/error-catalogue': [],
}

/**
 * Why `importer` must not import `specifier`. Undefined if it may.
 * @param {string} importer a source file's path from the root of the repository
 * @param {string} specifier as the import statement has it
 * @param {boolean} [isType] the statement imports only types
 * @returns {string | undefined}
 */
export function refusal(importer, specifier, isType = false) {
  if (specifier.endsWith('.css')) return undefined
  if (!specifier.startsWith('.')) return packageRefusal(importer, specifier)
  const imported = posix.join(posix.dirname(importer), specifier)
  return (
    lineRefusal(importer, imported) ??
    implementationRefusal(importer, imported) ??
    browserRefusal(importer, imported, isType) ??
    pageRefusal(importer, imported)
  )
}

const PAGES = 'src/web/pages/'

/** Modules of the browser import these folders and files, and types of the responses that the coordinator declares. */
const IN_BROWSER = [
  ...['src/web/', 'src/addresses/', 'src/cron/'],
  ...['src/coordinator/access/access-levels.', 'src/lib/time-units.'],
  'src/coordinator/instance/broadcast-messages/themes.',
]
const RESPONSE_TYPES = /^src\/coordinator\/.*(?:\/|-)(?:schema|messages)\.[jt]s$/

/**
 * @param {string} importer
 * @param {string} imported
 * @param {boolean} isType
 */
function browserRefusal(importer, imported, isType) {
  // The configuration of the build runs in Node.js.
  if (!importer.startsWith('src/web/') || importer === 'src/web/vite.config.ts') return undefined
  if (IN_BROWSER.some((folder) => imported.startsWith(folder))) return undefined
  if (isType && RESPONSE_TYPES.test(imported)) return undefined
  return 'src/web runs in the browser: of the server it imports only types, from schema.ts and messages.ts'
}

/**
 * @param {string} importer
 * @param {string} specifier
 */
function packageRefusal(importer, specifier) {
  const room = Object.keys(pure).find((folder) => importer.startsWith(`${folder}/`))
  const packages = room && pure[room]
  if (!packages || packages.some((name) => specifier === name || specifier.startsWith(`${name}/`)))
    return undefined
  return `${room} computes and does no I/O: of packages it may import ${packages.join(', ')}`
}

/**
 * @param {string} importer
 * @param {string} imported
 */
function lineRefusal(importer, imported) {
  for (const { folder, lines } of tables) {
    const from = roomOnLine({ folder, lines }, importer)
    const to = roomOnLine({ folder, lines }, imported)
    if (!from || !to || from === to) continue
    const fromLine = lines.findIndex((line) => line.includes(from))
    const toLine = lines.findIndex((line) => line.includes(to))
    const unnamed = fromLine < 0 ? from : toLine < 0 ? to : undefined
    if (unnamed) return `${folder}/${unnamed} is on no line`
    if (fromLine < toLine) continue
    return fromLine === toLine
      ? `${folder}/${from} and ${folder}/${to} are on one line`
      : `${folder}/${to} is above ${folder}/${from}`
  }
  return undefined
}

/**
 * The name of the folder of `path` in the tables.
 * @param {Rooms} table
 * @param {string} path
 */
function roomOnLine({ folder, lines }, path) {
  const room = roomIn(folder, path)
  if (!room || lines.some((line) => line.includes(room))) return room
  const isFile = posix.dirname(path) === folder
  return isFile && lines.some((line) => line.includes(FILES)) ? FILES : room
}

/**
 * Pages below `src/web/pages/` import what lies beside them, and no other page.
 * @param {string} importer
 * @param {string} imported
 */
function pageRefusal(importer, imported) {
  const from = pageOf(importer)
  const to = pageOf(imported)
  if (!from || !to || from.wing !== to.wing)
    return from && to ? 'pages of different folders share nothing' : undefined
  return to.page !== undefined && from.page !== to.page ? 'a page imports no other page' : undefined
}

/** @param {string} path */
function pageOf(path) {
  const [wing, ...inner] = path.startsWith(PAGES) ? path.slice(PAGES.length).split('/') : []
  return wing === undefined ? undefined : { wing, page: inner.length > 1 ? inner[0] : undefined }
}

/**
 * @param {string} importer
 * @param {string} imported
 */
function implementationRefusal(importer, imported) {
  const room = roomIn('src/runner', importer)
  const isImplementation = (/** @type {string} */ path) =>
    IMPLEMENTATIONS.some((folder) => path.startsWith(folder))
  const knows = !room || KNOWS_IMPLEMENTATION.includes(room) || isImplementation(importer)
  return isImplementation(imported) && !knows ? 'the executor is known by its contract alone' : undefined
}

/**
 * The entry of `folder` that contains `path`, without extension.
 * @param {string} folder
 * @param {string} path
 */
export function roomIn(folder, path) {
  if (!path.startsWith(`${folder}/`)) return undefined
  return path
    .slice(folder.length + 1)
    .split('/')[0]
    ?.replace(/\.[jt]sx?$/, '')
}
