import type { SecretBox } from '../../crypto/secret-box.js'
import { HOOK_TRIGGERS, type HookTrigger } from '../../database/tables/webhooks.js'
import { isoTime, isoTimeOrNull } from '../../http/presenters/present-time.js'
import { type KeyValue, openPairs } from './deliveries/hook-secrets.js'
import type { LogRow } from './delivery-store.js'
import { alertStatus, disabledUntil } from './hook-health.js'
import type { HookRow } from './hook-store.js'
import type { GroupHook, Hook, HookDelivery, SystemHook } from './schema.js'

/** Presents a hook without its token, and with only the names of its headers and variables. */
export function presentHook(secrets: SecretBox, hook: HookRow, now = Date.now()): Hook {
  return {
    id: hook.id,
    url: secrets.decrypt(hook.url_encrypted),
    name: hook.name,
    description: hook.description,
    created_at: isoTime(hook.created_at),
    project_id: hook.project_id ?? 0,
    ...flagsOf(hook),
    push_events_branch_filter: hook.push_events_branch_filter,
    branch_filter_strategy: hook.branch_filter_strategy,
    enable_ssl_verification: hook.enable_ssl_verification,
    alert_status: alertStatus(hook, now),
    disabled_until: isoTimeOrNull(disabledUntil(hook, now)),
    url_variables: keysOf(openPairs(secrets, hook.url_variables_encrypted)),
    custom_headers: keysOf(openPairs(secrets, hook.custom_headers_encrypted)),
    custom_webhook_template: hook.custom_webhook_template,
  }
}

/** A hook of a group. */
export function presentGroupHook(secrets: SecretBox, hook: HookRow): GroupHook {
  const { project_id: _, ...shown } = presentHook(secrets, hook)
  const { member_events, subgroup_events, project_events } = hook
  return { ...shown, group_id: hook.group_id ?? 0, member_events, subgroup_events, project_events }
}

/** A system hook. */
export function presentSystemHook(secrets: SecretBox, hook: HookRow): SystemHook {
  const shown = presentHook(secrets, hook)
  return {
    id: shown.id,
    url: shown.url,
    name: shown.name,
    description: shown.description,
    created_at: shown.created_at,
    push_events: shown.push_events,
    tag_push_events: shown.tag_push_events,
    merge_requests_events: shown.merge_requests_events,
    repository_update_events: shown.repository_update_events,
    enable_ssl_verification: shown.enable_ssl_verification,
    alert_status: shown.alert_status,
    disabled_until: shown.disabled_until,
    url_variables: shown.url_variables,
    custom_headers: shown.custom_headers,
  }
}

function flagsOf(hook: HookRow): Record<HookTrigger, boolean> {
  return Object.fromEntries(HOOK_TRIGGERS.map((flag) => [flag, hook[flag]])) as Record<HookTrigger, boolean>
}

function keysOf(values: KeyValue): { key: string }[] {
  return Object.keys(values).map((key) => ({ key }))
}

const TRIGGER_NAMES: Partial<Record<LogRow['trigger'], string>> = {
  issues_events: 'issue_hooks',
  confidential_issues_events: 'confidential_issue_hooks',
  merge_requests_events: 'merge_request_hooks',
  releases_events: 'release_hooks',
}

export function presentDelivery(secrets: SecretBox, row: LogRow): HookDelivery {
  const { id, url, trigger, request_headers, response_headers, response_body, payload_encrypted } = row
  const { response_status, execution_duration } = row
  return {
    id,
    url,
    request_headers,
    response_headers,
    response_body,
    response_status,
    execution_duration,
    trigger: TRIGGER_NAMES[trigger] ?? trigger.replace(/_events$/, '_hooks'),
    request_data:
      payload_encrypted === null ? null : (JSON.parse(secrets.decrypt(payload_encrypted)) as unknown),
    created_at: isoTime(row.created_at),
  }
}
