import { type Static, Type } from 'typebox'

import { ALL_TRIGGERS, FILTER_STRATEGIES, HOOK_TRIGGERS } from '../../database/tables/webhooks.js'
import { described } from '../../http/parameters/described.js'
import { Nullable, NullableText, OneOf } from '../../http/parameters/types.js'

const NAME_LENGTH = 255
const DESCRIPTION_LENGTH = 2048
const URL_LENGTH = 2048
const SECRET_LENGTH = 4096
const TEMPLATE_LENGTH = 4096
const FILTER_LENGTH = 5000

/** Descriptions of the event flags (API, K3). */
const FLAGS = {
  push_events: 'Whether to trigger on pushes to branches, and when branches are created or deleted.',
  tag_push_events: 'Whether to trigger when tags are created or deleted.',
  issues_events: 'Whether to trigger on issue events.',
  confidential_issues_events: 'Whether to trigger on confidential issue events.',
  merge_requests_events: 'Whether to trigger on merge request events.',
  note_events: 'Whether to trigger on comments.',
  confidential_note_events: 'Whether to trigger on confidential comments.',
  job_events: 'Whether to trigger on job status changes.',
  pipeline_events: 'Whether to trigger on pipeline status changes.',
  wiki_page_events: 'Whether to trigger when wiki pages are created, changed or deleted.',
  deployment_events: 'Whether to trigger when deployments start or end.',
  releases_events: 'Whether to trigger when releases are created, changed or deleted.',
  feature_flag_events: 'Whether to trigger when feature flags are turned on or off.',
  milestone_events: 'Whether to trigger on milestone events.',
  emoji_events: 'Whether to trigger on emoji reactions.',
  resource_access_token_events: 'Whether to trigger when access tokens are about to expire.',
  repository_update_events: 'Whether to trigger on each ref that a push changes.',
  member_events: 'Whether to trigger on changes of members of the group and its subgroups.',
  subgroup_events: 'Whether to trigger when subgroups are created or deleted.',
  project_events: 'Whether to trigger when projects of the group and its subgroups are created or deleted.',
} as const

const flag = (name: keyof typeof FLAGS) => described(Type.Boolean(), FLAGS[name])
const wanted = (name: keyof typeof FLAGS) => described(Type.Optional(Type.Boolean()), FLAGS[name])

export const KeyOnly = Type.Object({
  key: described(Type.String(), 'Name of the pair; the value is not shown.'),
})

const Id = described(Type.Integer(), 'ID of the webhook.')

/** A project webhook (API, K1). The secret token is not shown. */
export const Hook = Type.Object({
  id: Id,
  url: described(Type.String(), 'Target URL of the webhook.'),
  name: described(NullableText, 'Name of the webhook; null if there is none.'),
  description: described(NullableText, 'Description of the webhook; null if there is none.'),
  created_at: described(Type.String(), 'Time of creation: ISO 8601, UTC.'),
  project_id: described(Type.Integer(), 'ID of the project.'),
  push_events: flag('push_events'),
  push_events_branch_filter: described(NullableText, 'Branch filter of push events; null for all branches.'),
  branch_filter_strategy: described(
    OneOf(...FILTER_STRATEGIES),
    'Type of the branch filter: a wildcard in which `*` matches any text, a regular expression, or all branches.',
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
  enable_ssl_verification: described(Type.Boolean(), 'Whether to verify the TLS certificate of the target.'),
  alert_status: described(
    OneOf('executable', 'temporarily_disabled', 'disabled'),
    'Status: failed deliveries disable the webhook temporarily, and finally permanently.',
  ),
  disabled_until: described(
    NullableText,
    'Time at which the webhook is enabled again, ISO 8601, UTC; null if it is enabled, or disabled until it is edited or tested.',
  ),
  url_variables: described(Type.Array(KeyOnly), 'Variables in the URL, written in braces.'),
  custom_headers: described(Type.Array(KeyOnly), 'Additional headers of deliveries.'),
  custom_webhook_template: described(
    NullableText,
    'JSON template in which `{{path.to.field}}` stands for a field of the payload; null for the whole payload.',
  ),
})
export type Hook = Static<typeof Hook>

const { project_id: _project, ...shared } = Hook.properties

/** A group webhook (API, D). The secret token is not shown. */
export const GroupHook = Type.Object({
  ...shared,
  group_id: described(Type.Integer(), 'ID of the group.'),
  member_events: flag('member_events'),
  subgroup_events: flag('subgroup_events'),
  project_events: flag('project_events'),
})
export type GroupHook = Static<typeof GroupHook>

const Pairs = (what: string) =>
  described(
    Type.Optional(
      Type.Array(
        Type.Object({
          key: described(Type.String({ minLength: 1, maxLength: NAME_LENGTH }), 'Name of the pair.'),
          value: described(
            Type.Optional(Type.String({ maxLength: SECRET_LENGTH })),
            'Value, which is never shown; unchanged on edit if absent.',
          ),
        }),
      ),
    ),
    what,
  )

const Settings = {
  name: described(Type.Optional(Nullable(Type.String({ maxLength: NAME_LENGTH }))), 'Name of the webhook.'),
  description: described(
    Type.Optional(Nullable(Type.String({ maxLength: DESCRIPTION_LENGTH }))),
    'Description of the webhook.',
  ),
  push_events: wanted('push_events'),
  push_events_branch_filter: described(
    Type.Optional(Nullable(Type.String({ maxLength: FILTER_LENGTH }))),
    'Branch filter of push events; empty for all branches.',
  ),
  branch_filter_strategy: described(
    Type.Optional(OneOf(...FILTER_STRATEGIES)),
    'Type of the branch filter; `wildcard` by default.',
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
  wiki_events: described(Type.Optional(Type.Boolean()), 'Alias of the same parameter.'),
  deployment_events: wanted('deployment_events'),
  releases_events: wanted('releases_events'),
  feature_flag_events: wanted('feature_flag_events'),
  milestone_events: wanted('milestone_events'),
  emoji_events: wanted('emoji_events'),
  resource_access_token_events: wanted('resource_access_token_events'),
  repository_update_events: wanted('repository_update_events'),
  enable_ssl_verification: described(
    Type.Optional(Type.Boolean()),
    'Whether to verify the TLS certificate of the target; true by default.',
  ),
  token: described(
    Type.Optional(Nullable(Type.String({ maxLength: SECRET_LENGTH }))),
    'Secret that deliveries contain, so that the receiver can verify them; never shown again.',
  ),
  url_variables: Pairs('Values for the variables in the URL, at most 20.'),
  custom_headers: Pairs('Additional headers of deliveries, at most 20.'),
  custom_webhook_template: described(
    Type.Optional(Nullable(Type.String({ maxLength: TEMPLATE_LENGTH }))),
    'JSON template in which `{{path.to.field}}` stands for a field of the payload.',
  ),
}

const Url = Type.String({ maxLength: URL_LENGTH })

export const NewHook = Type.Object({
  url: described(Url, 'Target URL of the webhook: http or https.'),
  ...Settings,
})
export type NewHook = Static<typeof NewHook>

const GroupFlags = {
  member_events: wanted('member_events'),
  subgroup_events: wanted('subgroup_events'),
  project_events: wanted('project_events'),
}

export const NewGroupHook = Type.Object({ ...NewHook.properties, ...GroupFlags })
export type NewGroupHook = Static<typeof NewGroupHook>

export const HookId = Type.Object({ hook_id: Id })

export const EditHook = Type.Object({
  ...HookId.properties,
  url: described(Type.Optional(Url), 'Target URL of the webhook.'),
  ...Settings,
})
export type EditHook = Static<typeof EditHook>

export const EditGroupHook = Type.Object({ ...EditHook.properties, ...GroupFlags })
export type EditGroupHook = Static<typeof EditGroupHook>

/** Response of an operation without a result. */
export const CreatedMessage = Type.Object({ message: described(Type.String(), '`201 Created`') })

export const HookTest = Type.Object({
  ...HookId.properties,
  trigger: described(OneOf(...HOOK_TRIGGERS), 'Type of the event: the name of its flag.'),
})

export const GroupHookTest = Type.Object({
  ...HookId.properties,
  trigger: described(OneOf(...ALL_TRIGGERS), 'Type of the event: the name of its flag.'),
})

const Headers = Type.Record(Type.String(), Type.String())

/** A delivery attempt (API, K1). */
export const HookDelivery = Type.Object({
  id: described(Type.Integer(), 'ID of the delivery.'),
  url: described(Type.String(), 'Target URL, without values of variables and credentials.'),
  trigger: described(Type.String(), 'Type of the event, such as `push_hooks`.'),
  request_headers: described(Headers, 'Headers of the request, without secrets.'),
  request_data: described(Type.Unknown(), 'Payload of the request; null if it could not be created.'),
  response_headers: described(Headers, 'First 50 headers of the response.'),
  response_body: described(NullableText, 'First 8 KB of the response, or the error if there was none.'),
  execution_duration: described(Type.Number(), 'Duration, in seconds.'),
  response_status: described(
    Type.String(),
    'HTTP status of the response, or `internal error` if there was none.',
  ),
  created_at: described(Type.String(), 'End time: ISO 8601, UTC.'),
})
export type HookDelivery = Static<typeof HookDelivery>

export const DeliveryFilters = Type.Object({
  ...HookId.properties,
  status: described(
    Type.Optional(
      Type.Array(Type.String({ pattern: '^(\\d{3}|successful|client_failure|server_failure)$' })),
    ),
    'Status to filter by: an HTTP status, `successful`, `client_failure` or `server_failure`.',
  ),
})

export const DeliveryId = Type.Object({
  ...HookId.properties,
  hook_event_id: described(Type.Integer(), 'ID of the delivery.'),
})

export const Resent = Type.Object({
  response_status: described(Type.Integer(), 'HTTP status of the response.'),
})

const PairKey = described(
  Type.String({ minLength: 1, maxLength: NAME_LENGTH }),
  'Name of the variable or header.',
)
const PairValue = described(Type.String({ maxLength: SECRET_LENGTH }), 'Value, which is never shown.')

export const HookPair = Type.Object({ ...HookId.properties, key: PairKey })
export const NewHookPair = Type.Object({ ...HookPair.properties, value: PairValue })

const SYSTEM_FLAGS = [
  'push_events',
  'tag_push_events',
  'merge_requests_events',
  'repository_update_events',
] as const

/** A system hook (API, K1). */
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

/** Payload of a test of a system hook. */
export const SystemSample = Type.Object({
  event_name: described(Type.String(), 'Name of the event.'),
  name: described(Type.String(), 'Name of the project.'),
  path: described(Type.String(), 'Path of the project.'),
  project_id: described(Type.Integer(), 'ID of the project.'),
  owner_name: described(Type.String(), 'Name of the owner of the project.'),
  owner_email: described(Type.String(), 'E-mail address of the owner.'),
})
