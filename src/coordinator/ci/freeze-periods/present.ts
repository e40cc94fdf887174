import { isoTime } from '../../http/presenters/present-time.js'
import type { FreezePeriod } from './schema.js'
import type { FreezePeriodRow } from './store.js'

export function presentFreezePeriod(row: FreezePeriodRow): FreezePeriod {
  const { id, freeze_start, freeze_end, cron_timezone, created_at, updated_at } = row
  return {
    id,
    freeze_start,
    freeze_end,
    cron_timezone,
    created_at: isoTime(created_at),
    updated_at: isoTime(updated_at),
  }
}
