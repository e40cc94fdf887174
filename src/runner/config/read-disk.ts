import { parseByteSize } from '../executor/docker/byte-size.js'
import { DISK_DEFAULTS, type DiskSettings, isBelow, parseMark, usualLow } from './disk-settings.js'
import type { TableReader } from './table-reader.js'

const MARK = 'a fraction of the disk such as "80%", or a size such as "50g"'

/** Reads `[disk]`, a table that only this runner has. */
export function readDisk(global: TableReader): DiskSettings {
  const reader = global.subTable('disk')
  const high = reader.parsed('high', MARK, parseMark)
  const low = reader.parsed('low', MARK, parseMark) ?? (high && usualLow(high))
  if (low && !high) reader.problem('low', 'needs a "high" mark that is greater')
  if (low && high && !isBelow(low, high))
    reader.problem('low', 'must be of the same kind as "high", and less')
  const settings = {
    marks: high && low ? { high, low } : undefined,
    floorBytes:
      reader.parsed('floor', 'a size such as "1g", or "0" for none', parseByteSize) ??
      DISK_DEFAULTS.floorBytes,
    intervalSeconds: reader.duration('check_interval') || DISK_DEFAULTS.intervalSeconds,
  }
  reader.reportUnknown()
  return settings
}
