import type { HookTrigger } from '../../database/tables/webhooks.js'
import type { ChatFormat } from './format-message.js'

type ValueKind = 'text' | 'secret' | 'url' | 'flag' | 'integer' | 'branches'

export interface Property {
  kind: ValueKind
  isRequired?: true
}

/** How events are sent; a kind without a format is kept and does not send anything. */
export type Format =
  | ChatFormat
  | ('packagist' | 'jenkins' | 'drone' | 'buildkite' | 'teamcity' | 'bamboo')
  | ('jira' | 'asana' | 'assembla' | 'pivotaltracker' | 'github')
  | ('campfire' | 'flowdock' | 'hipchat' | 'matrix' | 'irker')
  | ('emails-on-push' | 'pipelines-email')

export interface IntegrationKind {
  /** In paths. */
  slug: string
  /** Other slugs of the same kind. */
  aliases: readonly string[]
  title: string
  properties: Readonly<Record<string, Property>>
  /** Other names of properties. */
  renamed: Readonly<Record<string, string>>
  events: readonly HookTrigger[]
  /** Events that are always sent to it, regardless of its flags. */
  alwaysGets: readonly HookTrigger[]
  format: Format | undefined
  /** The service has ended: what is set is kept, but pages do not offer it any more. */
  isDiscontinued: boolean
}

const PUSH = ['push_events'] as const
const CODE = ['push_events', 'tag_push_events', 'merge_requests_events'] as const
const CHAT = [
  ...(['push_events', 'issues_events', 'confidential_issues_events', 'merge_requests_events'] as const),
  ...(['tag_push_events', 'note_events', 'confidential_note_events', 'pipeline_events'] as const),
  ...(['wiki_page_events', 'job_events', 'deployment_events', 'releases_events'] as const),
] as const

/** `name!` is required, `name*` a secret, `name/` a URL, `name?` a flag, `name#` a number. */
function propertiesOf(text: string): Record<string, Property> {
  return Object.fromEntries(
    text.split(' ').map((word) => {
      const [, name = '', marks = ''] = /^(\w+)(.*)$/.exec(word) ?? []
      const isRequired = marks.includes('!') ? { isRequired: true as const } : {}
      return [name, { kind: kindOf(name, marks), ...isRequired }]
    }),
  )
}

function kindOf(name: string, marks: string): ValueKind {
  if (name === 'branches_to_be_notified') return 'branches'
  if (marks.includes('*')) return 'secret'
  if (marks.includes('/')) return 'url'
  if (marks.includes('?')) return 'flag'
  return marks.includes('#') ? 'integer' : 'text'
}

const PIPELINES = 'notify_only_broken_pipelines? notify_only_default_branch? branches_to_be_notified'
const CHAT_CHANNELS = [
  ...['push_channel', 'issue_channel', 'confidential_issue_channel', 'merge_request_channel', 'note_channel'],
  ...['confidential_note_channel', 'tag_push_channel', 'pipeline_channel', 'wiki_page_channel'],
  'deployment_channel',
].join(' ')
const TRACKER = 'new_issue_url!/ issues_url!/ project_url!/ description title'

type Row = [
  slugs: string,
  title: string,
  properties: string,
  events: readonly HookTrigger[],
  more?: { format?: Format; renamed?: Record<string, string>; alwaysGets?: HookTrigger[] },
]

/** Their services were shut down. */
const DISCONTINUED: ReadonlySet<string> = new Set(['campfire', 'flowdock', 'hipchat'])

const ROWS: Row[] = [
  ['asana task-tracker', 'Asana', 'api_key!* restrict_to_branch', PUSH, { format: 'asana' }],
  ['assembla project-management', 'Assembla', 'token!* subdomain', PUSH, { format: 'assembla' }],
  [
    'bamboo ci-server-a',
    'Bamboo',
    'bamboo_url!/ build_key! username! password!*',
    PUSH,
    { format: 'bamboo', renamed: { vendor_url: 'bamboo_url' } },
  ],
  ['bugzilla issue-tracker-a', 'Bugzilla', TRACKER, PUSH],
  [
    'buildkite ci-service-a',
    'Buildkite',
    'token!* project_url!/ enable_ssl_verification?',
    CODE,
    { format: 'buildkite' },
  ],
  ['campfire group-chat-a', 'Campfire', 'token!* subdomain room', PUSH, { format: 'campfire' }],
  ['custom-issue-tracker', 'Custom issue tracker', TRACKER, PUSH],
  ['ewm', 'EWM', TRACKER, PUSH],
  ['clickup', 'ClickUp', 'issues_url!/ project_url!/ description title', PUSH],
  [
    'drone-ci ci-server-b',
    'Drone',
    'token!* drone_url!/ enable_ssl_verification?',
    CODE,
    { format: 'drone', renamed: { vendor_url: 'drone_url' } },
  ],
  [
    'emails-on-push',
    'Emails on push',
    'recipients! disable_diffs? send_from_committer_email? branches_to_be_notified',
    ['push_events', 'tag_push_events'],
    { format: 'emails-on-push' },
  ],
  ['external-wiki', 'External wiki', 'external_wiki_url!/', []],
  ['flowdock team-chat-a', 'Flowdock', 'token!*', PUSH, { format: 'flowdock' }],
  [
    'github code-host-status',
    'GitHub',
    'token!* repository_url!/ static_context?',
    ['pipeline_events'],
    { format: 'github' },
  ],
  ['hangouts-chat team-chat-b', 'Google Chat', `webhook!* ${PIPELINES}`, CHAT, { format: 'text' }],
  [
    'hipchat group-chat-b',
    'HipChat',
    'token!* color notify? room api_version server',
    CHAT,
    { format: 'hipchat' },
  ],
  [
    'irker irc-gateway',
    'irker',
    'recipients! default_irc_uri server_host server_port# colorize_messages?',
    PUSH,
    { format: 'irker' },
  ],
  [
    'jira issue-tracker-b',
    'Jira',
    'url!/ api_url/ username! password!* jira_issue_transition_id',
    ['push_events', 'merge_requests_events'],
    {
      format: 'jira',
      renamed: { vendor_issue_transition_id: 'jira_issue_transition_id' },
      // The flags are about comments; issues are closed in any case.
      alwaysGets: ['push_events', 'merge_requests_events'],
    },
  ],
  ['mattermost-slash-commands chat-slash-commands-a', 'Mattermost slash commands', 'token!*', []],
  ['slack-slash-commands', 'Slack slash commands', 'token!*', []],
  ['packagist', 'Packagist', 'username! token!* server/', CODE, { format: 'packagist' }],
  [
    'pipelines-email',
    'Pipeline emails',
    'recipients! add_pusher? notify_only_broken_pipelines? branches_to_be_notified notify_only_default_branch?',
    ['pipeline_events'],
    { format: 'pipelines-email' },
  ],
  ['pivotaltracker', 'Pivotal Tracker', 'token!* restrict_to_branch', PUSH, { format: 'pivotaltracker' }],
  [
    'prometheus',
    'Prometheus',
    'api_url!/ google_iap_audience_client_id google_iap_service_account_json* manual_configuration?',
    [],
  ],
  ['pushover', 'Pushover', 'api_key!* user_key!* priority! device sound', PUSH, { format: 'pushover' }],
  ['redmine', 'Redmine', 'new_issue_url!/ project_url!/ issues_url!/ description', PUSH],
  ['slack', 'Slack', `webhook!* username channel ${PIPELINES} ${CHAT_CHANNELS}`, CHAT, { format: 'slack' }],
  [
    'mattermost',
    'Mattermost',
    `webhook!* username channel ${PIPELINES} ${CHAT_CHANNELS}`,
    CHAT,
    { format: 'slack' },
  ],
  ['microsoft-teams', 'Microsoft Teams', `webhook!* ${PIPELINES}`, CHAT, { format: 'teams' }],
  ['discord', 'Discord', `webhook!* ${PIPELINES}`, CHAT, { format: 'discord' }],
  ['unify-circuit', 'Unify Circuit', `webhook!* ${PIPELINES}`, CHAT, { format: 'circuit' }],
  ['webex-teams', 'Webex Teams', `webhook!* ${PIPELINES}`, CHAT, { format: 'webex' }],
  ['telegram', 'Telegram', `token!* room! hostname/ thread# ${PIPELINES}`, CHAT, { format: 'telegram' }],
  ['matrix', 'Matrix', `token!* room! hostname/ ${PIPELINES}`, CHAT, { format: 'matrix' }],
  [
    'teamcity',
    'TeamCity',
    'teamcity_url!/ build_type! username! password!* enable_ssl_verification?',
    ['push_events', 'merge_requests_events'],
    { format: 'teamcity' },
  ],
  [
    'jenkins',
    'Jenkins',
    'jenkins_url!/ project_name! username password* enable_ssl_verification?',
    CODE,
    { format: 'jenkins' },
  ],
  ['jenkins-deprecated', 'Jenkins (deprecated)', 'project_url!/ multiproject_enabled? pass_unstable?', PUSH],
  ['youtrack', 'YouTrack', 'issues_url!/ project_url!/ description', PUSH],
]

export const KINDS: readonly IntegrationKind[] = ROWS.map(([slugs, title, properties, events, more = {}]) => {
  const [slug = '', ...aliases] = slugs.split(' ')
  return {
    slug,
    aliases,
    title,
    properties: propertiesOf(properties),
    renamed: more.renamed ?? {},
    events,
    alwaysGets: more.alwaysGets ?? [],
    format: more.format,
    isDiscontinued: DISCONTINUED.has(slug),
  }
})

const BY_SLUG = new Map(
  KINDS.flatMap((kind) => [kind.slug, ...kind.aliases].map((slug) => [slug, kind] as const)),
)

/** Kinds whose chat services send commands. */
const SLASH_COMMANDS = new Set(['mattermost-slash-commands', 'slack-slash-commands'])

/** The kind of a chat service that sends commands; undefined for other kinds. */
export function slashCommandKind(slug: string): IntegrationKind | undefined {
  const kind = kindOfSlug(slug)
  return kind && SLASH_COMMANDS.has(kind.slug) ? kind : undefined
}

/** Both spellings of a slug, `slack-slash-commands` and `slack_slash_commands`, are known. */
export function kindOfSlug(slug: string): IntegrationKind | undefined {
  return BY_SLUG.get(slug.replaceAll('_', '-'))
}
