import type { Default, Id, Json, Timestamp } from '../columns.js'

/** Event flags of a hook (API, K3). */
export const HOOK_TRIGGERS = [
  'push_events',
  'tag_push_events',
  'issues_events',
  'confidential_issues_events',
  'merge_requests_events',
  'note_events',
  'confidential_note_events',
  'job_events',
  'pipeline_events',
  'wiki_page_events',
  'deployment_events',
  'releases_events',
  'feature_flag_events',
  'milestone_events',
  'emoji_events',
  'resource_access_token_events',
  'repository_update_events',
] as const
export type HookTrigger = (typeof HOOK_TRIGGERS)[number]

/** Event flags that only hooks of groups have (API, D). */
const GROUP_TRIGGERS = ['member_events', 'subgroup_events', 'project_events'] as const
export type GroupTrigger = (typeof GROUP_TRIGGERS)[number]

/** Every event flag. */
export const ALL_TRIGGERS = [...HOOK_TRIGGERS, ...GROUP_TRIGGERS] as const
export type AnyTrigger = (typeof ALL_TRIGGERS)[number]

export const FILTER_STRATEGIES = ['wildcard', 'regex', 'all_branches'] as const
export type FilterStrategy = (typeof FILTER_STRATEGIES)[number]

/** A webhook: a URL that receives events of a project, of a group or of the instance (API, K). */
export interface WebHookTable extends Record<HookTrigger, boolean>, Record<GroupTrigger, Default<boolean>> {
  id: Id
  /** Null = the hook of a group, or a system hook. */
  project_id: number | null
  /** Null = the hook of a project, or a system hook. */
  group_id: number | null
  /** The integration to which it sends; null for a webhook that users see. */
  integration_id: number | null
  /** The status check whose service it calls; null for a webhook that users see. */
  status_check_id: number | null
  name: string | null
  description: string | null
  /** May contain credentials. */
  url_encrypted: string
  /** Secret token sent with deliveries. */
  token_encrypted: string | null
  /** Key of the signature of each request, which only hooks of status checks have. */
  signing_key_encrypted: string | null
  /** JSON: values of the placeholders in the URL, by name. */
  url_variables_encrypted: string | null
  /** JSON: header values by name. */
  custom_headers_encrypted: string | null
  custom_webhook_template: string | null
  enable_ssl_verification: boolean
  /** Filter of branches for push events; null = all. */
  push_events_branch_filter: string | null
  branch_filter_strategy: FilterStrategy
  /** Number of consecutive failed deliveries. */
  recent_failures: Default<number>
  /** No delivery before this time; null = at any time, or never again after too many failures. */
  disabled_until: Timestamp | null
  /** The worker that delivers to it, and the expiry time of its lease. */
  lease_owner: string | null
  lease_until: Timestamp | null
  created_at: Timestamp
  updated_at: Timestamp
}

/** Kinds of objects from which payloads are rendered. */
export type HookEventKind =
  | 'issue'
  | 'merge_request'
  | 'push'
  | 'tag_push'
  | 'job'
  | 'pipeline'
  | 'deployment'
  | 'release'
  | 'wiki_page'
  | 'feature_flag'
  | 'note'
  | 'emoji'
  | 'milestone'
  | 'repository_update'
  /** The facts are the payload. */
  | 'plain'

/** An event with at least one subscribed hook; written in the transaction of the change. */
export interface HookEventTable {
  id: Id
  /** Null = an event of the instance. */
  project_id: number | null
  /** UUID of the event chain: events caused by deliveries of this one have the same. */
  uuid: string
  /** The flag that subscribes a hook to it, or `system_events`. */
  trigger: AnyTrigger | 'system_events'
  kind: HookEventKind
  /** State at the time of the event, for values that may change. */
  facts: Json<object>
  /**
   * JSON, rendered when it is first sent; all hooks and retries get the same. It may contain values of CI
   * variables.
   */
  payload_encrypted: string | null
  created_at: Timestamp
}

/** A pending delivery of one event to one hook; deleted after success or the last failure. */
export interface HookDeliveryTable {
  id: Id
  hook_id: number
  event_id: number
  /** Equal for all attempts. */
  idempotency_key: string
  /** Attempts of the next request. */
  attempts: Default<number>
  /** How many of the requests that deliver the event are sent; more than one only for integrations. */
  requests_done: Default<number>
  due_at: Timestamp
  created_at: Timestamp
}

/** A delivery attempt with its outcome. */
export interface HookLogTable {
  id: Id
  hook_id: number
  event_id: number
  /** Without the values of its variables, and without credentials. */
  url: string
  request_headers: Json<Record<string, string>>
  response_headers: Json<Record<string, string>>
  response_body: string | null
  /** HTTP status, `sent` to a server that does not respond, or `internal error` without a response. */
  response_status: string
  response_code: number | null
  /** In seconds. */
  execution_duration: number
  created_at: Timestamp
}
