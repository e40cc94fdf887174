import type { Default, Id, Json, Timestamp } from '../columns.js'

/** What a hook may be told of; each is a flag of its record (API, K3). */
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

export const FILTER_STRATEGIES = ['wildcard', 'regex', 'all_branches'] as const
export type FilterStrategy = (typeof FILTER_STRATEGIES)[number]

/** A webhook: an address that receives events of a project, or of the whole instance (API, K). */
export interface WebHookTable extends Record<HookTrigger, boolean> {
  id: Id
  /** Null = a system hook. */
  project_id: number | null
  name: string | null
  description: string | null
  /** May hold credentials. */
  url_encrypted: string
  /** What deliveries show to say who they are from. */
  token_encrypted: string | null
  /** JSON: values of the placeholders in the address, by name. */
  url_variables_encrypted: string | null
  /** JSON: values by the names of headers. */
  custom_headers_encrypted: string | null
  custom_webhook_template: string | null
  enable_ssl_verification: boolean
  /** Which branches push events are of; null = all. */
  push_events_branch_filter: string | null
  branch_filter_strategy: FilterStrategy
  /** Failed deliveries since the last that succeeded. */
  recent_failures: Default<number>
  /** No delivery before this time; null = at any time, or never again after too many failures. */
  disabled_until: Timestamp | null
  /** The worker that delivers to it, and until when it is the only one. */
  lease_owner: string | null
  lease_until: Timestamp | null
  created_at: Timestamp
  updated_at: Timestamp
}

/** The kinds of objects that payloads are made from. */
export type HookEventKind =
  | 'push'
  | 'tag_push'
  | 'job'
  | 'pipeline'
  | 'deployment'
  | 'release'
  | 'note'
  | 'repository_update'
  /** The facts are the payload. */
  | 'plain'

/** An event with at least one subscribed hook; written in the transaction of the change. */
export interface HookEventTable {
  id: Id
  /** Null = an event of the whole instance. */
  project_id: number | null
  /** Shared by the events that deliveries of this one bring about. */
  uuid: string
  /** The flag that subscribes a hook to it, or `system_events`. */
  trigger: HookTrigger | 'system_events'
  kind: HookEventKind
  /** The state at the time of the event, as far as it changes. */
  facts: Json<object>
  /** JSON, made when it is first sent: all hooks and repetitions send the same. It may hold values of CI variables. */
  payload_encrypted: string | null
  created_at: Timestamp
}

/** A pending delivery of one event to one hook; deleted after success or the last failure. */
export interface HookDeliveryTable {
  id: Id
  hook_id: number
  event_id: number
  /** The same at each attempt. */
  idempotency_key: string
  attempts: Default<number>
  due_at: Timestamp
  created_at: Timestamp
}

/** An attempt to deliver, with what came of it. */
export interface HookLogTable {
  id: Id
  hook_id: number
  event_id: number
  /** Without the values of its variables, and without credentials. */
  url: string
  request_headers: Json<Record<string, string>>
  response_headers: Json<Record<string, string>>
  response_body: string | null
  /** HTTP status, or `internal error` where there was no answer. */
  response_status: string
  response_code: number | null
  /** Seconds. */
  execution_duration: number
  created_at: Timestamp
}
