import { type Static, Type } from 'typebox'

import { FILTER_STRATEGIES, HOOK_TRIGGERS } from '../../database/tables/webhooks.js'
import { described } from '../../http/parameters/described.js'
import { Nullable, NullableText, OneOf } from '../../http/parameters/types.js'

const NAME_LENGTH = 255
const DESCRIPTION_LENGTH = 2048
const URL_LENGTH = 2048
const SECRET_LENGTH = 4096
const TEMPLATE_LENGTH = 4096
const FILTER_LENGTH = 5000

/** What each flag lets a hook hear of (API, K3). */
const FLAGS = {
  push_events: 'Whether it hears of commits pushed to branches, and of branches made and deleted.',
  tag_push_events: 'Whether it hears of tags made and deleted.',
  issues_events: 'Whether it hears of issues.',
  confidential_issues_events: 'Whether it hears of confidential issues.',
  merge_requests_events: 'Whether it hears of merge requests.',
  note_events: 'Whether it hears of comments.',
  confidential_note_events: 'Whether it hears of confidential comments.',
  job_events: 'Whether it hears of each change of the status of a job.',
  pipeline_events: 'Whether it hears of each change of the status of a pipeline.',
  wiki_page_events: 'Whether it hears of pages of the wiki.',
  deployment_events: 'Whether it hears of deployments that start and end.',
  releases_events: 'Whether it hears of releases made, changed and deleted.',
  feature_flag_events: 'Whether it hears of feature flags switched on and off.',
  milestone_events: 'Whether it hears of milestones.',
  emoji_events: 'Whether it hears of reactions.',
  resource_access_token_events: 'Whether it hears of access tokens about to expire.',
  repository_update_events: 'Whether it hears of each ref that a push moved.',
} as const

const flag = (name: keyof typeof FLAGS) => described(Type.Boolean(), FLAGS[name])
const wanted = (name: keyof typeof FLAGS) => described(Type.Optional(Type.Boolean()), FLAGS[name])

export const KeyOnly = Type.Object({ key: described(Type.String(), 'Its name; the value is not shown.') })

const Id = described(Type.Integer(), 'Number of the hook.')

/** A hook of a project (API, K1). The secret token is not shown. */
export const Hook = Type.Object({
  id: Id,
  url: described(Type.String(), 'The address that is told.'),
  name: described(NullableText, 'What people call it; null = nothing.'),
  description: described(NullableText, 'What it is for; null = not said.'),
  created_at: described(Type.String(), 'When it was made: ISO 8601, UTC.'),
  project_id: described(Type.Integer(), 'Number of the project.'),
  push_events: flag('push_events'),
  push_events_branch_filter: described(NullableText, 'Which branches push events are of; null = all.'),
  branch_filter_strategy: described(
    OneOf(...FILTER_STRATEGIES),
    'How the filter is read: as a name in which `*` stands for any text, as a regular expression, or not at all.',
  ),
  tag_push_events: flag('tag_push_events'),
  issues_events: flag('issues_events'),
  confidential_issues_events: flag('confidential_issues_events'),
  merge_requests_events: flag('merge_requests_events'),
  note_events: flag('note_events'),
  confidential_note_events: flag('confidential_note_events'),
  job_events: flag('job_events'),
  pipeline_events: flag('pipeline_events'),
  wiki_page_events: flag('wiki_page_events'),
  deployment_events: flag('deployment_events'),
  releases_events: flag('releases_events'),
  feature_flag_events: flag('feature_flag_events'),
  milestone_events: flag('milestone_events'),
  emoji_events: flag('emoji_events'),
  resource_access_token_events: flag('resource_access_token_events'),
  repository_update_events: flag('repository_update_events'),
  enable_ssl_verification: described(
    Type.Boolean(),
    'Whether the certificate of the address must be a good one.',
  ),
  alert_status: described(
    OneOf('executable', 'temporarily_disabled', 'disabled'),
    'Whether it is told of events: failed deliveries disable it for a while, and in the end for good.',
  ),
  disabled_until: described(
    NullableText,
    'When it is told again, ISO 8601, UTC; null = now, or not before it is edited or tested.',
  ),
  url_variables: described(Type.Array(KeyOnly), 'Names that stand in the address between braces.'),
  custom_headers: described(Type.Array(KeyOnly), 'Headers that deliveries have besides the usual ones.'),
  custom_webhook_template: described(
    NullableText,
    'JSON in which `{{path.to.field}}` stands for a field of the payload; null = the payload is sent.',
  ),
})
export type Hook = Static<typeof Hook>

const Pairs = (what: string) =>
  described(
    Type.Optional(
      Type.Array(
        Type.Object({
          key: described(Type.String({ minLength: 1, maxLength: NAME_LENGTH }), 'Its name.'),
          value: described(
            Type.Optional(Type.String({ maxLength: SECRET_LENGTH })),
            'Its value, which is never shown; on edit the one that is there already if left out.',
          ),
        }),
      ),
    ),
    what,
  )

const Settings = {
  name: described(Type.Optional(Nullable(Type.String({ maxLength: NAME_LENGTH }))), 'What people call it.'),
  description: described(
    Type.Optional(Nullable(Type.String({ maxLength: DESCRIPTION_LENGTH }))),
    'What it is for.',
  ),
  push_events: wanted('push_events'),
  push_events_branch_filter: described(
    Type.Optional(Nullable(Type.String({ maxLength: FILTER_LENGTH }))),
    'Which branches push events are of; empty = all.',
  ),
  branch_filter_strategy: described(
    Type.Optional(OneOf(...FILTER_STRATEGIES)),
    'How the filter is read; `wildcard` unless said otherwise.',
  ),
  tag_push_events: wanted('tag_push_events'),
  issues_events: wanted('issues_events'),
  confidential_issues_events: wanted('confidential_issues_events'),
  merge_requests_events: wanted('merge_requests_events'),
  note_events: wanted('note_events'),
  confidential_note_events: wanted('confidential_note_events'),
  job_events: wanted('job_events'),
  pipeline_events: wanted('pipeline_events'),
  wiki_page_events: wanted('wiki_page_events'),
  wiki_events: described(Type.Optional(Type.Boolean()), 'The same under another name.'),
  deployment_events: wanted('deployment_events'),
  releases_events: wanted('releases_events'),
  feature_flag_events: wanted('feature_flag_events'),
  milestone_events: wanted('milestone_events'),
  emoji_events: wanted('emoji_events'),
  resource_access_token_events: wanted('resource_access_token_events'),
  repository_update_events: wanted('repository_update_events'),
  enable_ssl_verification: described(
    Type.Optional(Type.Boolean()),
    'Whether the certificate of the address must be a good one; true unless said otherwise.',
  ),
  token: described(
    Type.Optional(Nullable(Type.String({ maxLength: SECRET_LENGTH }))),
    'Secret that deliveries show, by which the receiver knows them; never shown again.',
  ),
  url_variables: Pairs('Values for the names that stand in the address between braces, at most 20.'),
  custom_headers: Pairs('Headers that deliveries have besides the usual ones, at most 20.'),
  custom_webhook_template: described(
    Type.Optional(Nullable(Type.String({ maxLength: TEMPLATE_LENGTH }))),
    'JSON in which `{{path.to.field}}` stands for a field of the payload.',
  ),
}

const Url = Type.String({ maxLength: URL_LENGTH })

export const NewHook = Type.Object({
  url: described(Url, 'The address that is to be told: http or https.'),
  ...Settings,
})
export type NewHook = Static<typeof NewHook>

export const HookId = Type.Object({ hook_id: Id })

export const EditHook = Type.Object({
  ...HookId.properties,
  url: described(Type.Optional(Url), 'The address that is to be told.'),
  ...Settings,
})
export type EditHook = Static<typeof EditHook>

/** Answer of what does something and has nothing to show for it. */
export const Done = Type.Object({ message: described(Type.String(), '`201 Created`') })

export const HookTest = Type.Object({
  ...HookId.properties,
  trigger: described(OneOf(...HOOK_TRIGGERS), 'Which event is sent: the name of its flag.'),
})

const Headers = Type.Record(Type.String(), Type.String())

/** An attempt to deliver (API, K1). */
export const HookDelivery = Type.Object({
  id: described(Type.Integer(), 'Number of the attempt.'),
  url: described(Type.String(), 'Where it went, without the values of variables and without credentials.'),
  trigger: described(Type.String(), 'Which event it told of, such as `push_hooks`.'),
  request_headers: described(Headers, 'What was sent besides the payload; secrets are left out.'),
  request_data: described(Type.Unknown(), 'The payload; null = none could be made.'),
  response_headers: described(Headers, 'The first 50 headers of the answer.'),
  response_body: described(NullableText, 'The first 8 KB of the answer, or why there was none.'),
  execution_duration: described(Type.Number(), 'Seconds that it took.'),
  response_status: described(
    Type.String(),
    'HTTP status of the answer, or `internal error` if there was none.',
  ),
  created_at: described(Type.String(), 'When it ended: ISO 8601, UTC.'),
})
export type HookDelivery = Static<typeof HookDelivery>

export const DeliveryFilters = Type.Object({
  ...HookId.properties,
  status: described(
    Type.Optional(
      Type.Array(Type.String({ pattern: '^(\\d{3}|successful|client_failure|server_failure)$' })),
    ),
    'Only those with this answer: an HTTP status, `successful`, `client_failure` or `server_failure`.',
  ),
})

export const DeliveryId = Type.Object({
  ...HookId.properties,
  hook_event_id: described(Type.Integer(), 'Number of the attempt.'),
})

export const Resent = Type.Object({
  response_status: described(Type.Integer(), 'HTTP status of the answer.'),
})

const PairKey = described(
  Type.String({ minLength: 1, maxLength: NAME_LENGTH }),
  'Name of the variable or of the header.',
)
const PairValue = described(Type.String({ maxLength: SECRET_LENGTH }), 'Its value, which is never shown.')

export const HookPair = Type.Object({ ...HookId.properties, key: PairKey })
export const NewHookPair = Type.Object({ ...HookPair.properties, value: PairValue })

const SYSTEM_FLAGS = [
  'push_events',
  'tag_push_events',
  'merge_requests_events',
  'repository_update_events',
] as const

/** A hook of the whole instance (API, K1). */
export const SystemHook = Type.Pick(Hook, [
  'id',
  'url',
  'name',
  'description',
  'created_at',
  ...SYSTEM_FLAGS,
  'enable_ssl_verification',
  'alert_status',
  'disabled_until',
  'url_variables',
  'custom_headers',
])
export type SystemHook = Static<typeof SystemHook>

export const NewSystemHook = Type.Pick(NewHook, [
  'url',
  'name',
  'description',
  'token',
  ...SYSTEM_FLAGS,
  'enable_ssl_verification',
  'push_events_branch_filter',
  'branch_filter_strategy',
  'url_variables',
  'custom_headers',
])

export const SystemHookId = Type.Object({ id: Id })

export const SystemHookPair = Type.Object({ ...SystemHookId.properties, key: PairKey })
export const NewSystemHookPair = Type.Object({ ...SystemHookPair.properties, value: PairValue })

export const EditSystemHook = Type.Object({
  ...SystemHookId.properties,
  ...NewSystemHook.properties,
  url: EditHook.properties.url,
})

/** What a system hook is tried with. */
export const SystemSample = Type.Object({
  event_name: described(Type.String(), 'What it tells of.'),
  name: described(Type.String(), 'Of the project.'),
  path: described(Type.String(), 'Of the project.'),
  project_id: described(Type.Integer(), 'Number of the project.'),
  owner_name: described(Type.String(), 'Whose project it is.'),
  owner_email: described(Type.String(), 'Address of the owner.'),
})
