import type { Default, Id, Timestamp } from '../columns.js'

export type NotificationLevel = 'disabled' | 'participating' | 'watch' | 'global' | 'mention' | 'custom'

/** About what a user wants mails: in general, or in one group or project. */
export interface NotificationSettingTable {
  id: Id
  user_id: number
  /** At most one of the two is set. */
  group_id: number | null
  project_id: number | null
  level: NotificationLevel
  /** Another address than that of the account; only in the general setting. */
  notification_email: string | null
  /** JSON: for `custom`, whether there are mails, by the names of events. */
  events: Default<string>
  updated_at: Timestamp
}
