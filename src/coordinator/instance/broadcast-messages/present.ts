import { isoTime } from '../../http/presenters/present-time.js'
import type { BroadcastMessage } from './schema.js'
import type { BroadcastMessageRow } from './store.js'
import { colorsOf, type Theme } from './themes.js'

export function presentBroadcastMessage(row: BroadcastMessageRow): BroadcastMessage {
  const { id, message, starts_at, ends_at, broadcast_type, theme } = row
  const { background: color, text: font } = colorsOf(row)
  const now = Date.now()
  return {
    id,
    message,
    starts_at: isoTime(starts_at),
    ends_at: isoTime(ends_at),
    active: starts_at <= now && now < ends_at,
    broadcast_type,
    theme: theme as Theme,
    color,
    font,
    target_path: row.target_path,
    target_access_levels: row.target_access_levels,
    dismissable: row.dismissable,
  }
}
