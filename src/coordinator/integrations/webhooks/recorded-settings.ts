import { GroupHook } from './schema.js'

/** Settings whose changes the audit events record. A URL may contain a password, as those of chats do. */
export const RECORDED_SETTINGS: readonly string[] = [
  ...[
    'name',
    'description',
    'push_events_branch_filter',
    'branch_filter_strategy',
    'enable_ssl_verification',
  ],
  ...Object.keys(GroupHook.properties).filter((name) => name.endsWith('_events')),
]
