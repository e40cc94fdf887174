import { parseByteSize } from '../executor/docker/byte-size.js'
import { HOLD_DEFAULTS, type HoldSettings } from './hold-settings.js'
import type { TableReader } from './table-reader.js'

/** Reads `[hold]`, a table that only this runner has. */
export function readHold(global: TableReader): HoldSettings {
  const reader = global.subTable('hold')
  const maxSeconds = reader.duration('max_time') || HOLD_DEFAULTS.maxSeconds
  const seconds = reader.duration('time') || Math.min(HOLD_DEFAULTS.seconds, maxSeconds)
  if (seconds > maxSeconds) reader.problem('time', 'must not be longer than "max_time"')
  const settings = {
    isEnabled: reader.boolean('enabled') ?? HOLD_DEFAULTS.isEnabled,
    maxJobs: reader.integer('max_jobs', 1) ?? HOLD_DEFAULTS.maxJobs,
    seconds,
    maxSeconds,
    keepsSlot: reader.boolean('keep_slot') ?? HOLD_DEFAULTS.keepsSlot,
    minFreeBytes:
      reader.parsed('min_free_disk', 'a size such as "1g", or "0" for none', parseByteSize) ??
      HOLD_DEFAULTS.minFreeBytes,
  }
  reader.reportUnknown()
  return settings
}

/** Reads `[terminal]`, a table that only this runner has. */
export function readTerminal(global: TableReader): boolean {
  const reader = global.subTable('terminal')
  const isEnabled = reader.boolean('enabled') ?? false
  reader.reportUnknown()
  return isEnabled
}
