import { parseByteSize } from '../executor/docker/byte-size.js'

/**
 * A limit of disk space. `fullness`: the used fraction of the disk, from 0 to 1, of all users. `amount`: the
 * bytes that the runner itself uses.
 */
export type Mark = { kind: 'fullness'; part: number } | { kind: 'amount'; bytes: number }

/** `[disk]`: the disk space that the runner leaves free on the host. Without a high mark, nothing is removed. */
export interface DiskSettings {
  /** Above `high`, the least recently used items are removed until `low` is reached. Both are of one kind. */
  marks: { high: Mark; low: Mark } | undefined
  /** With fewer free bytes, the runner accepts no jobs. */
  floorBytes: number
  /** Seconds between two checks of the disks while no job ends. */
  intervalSeconds: number
}

export const DISK_DEFAULTS: DiskSettings = {
  marks: undefined,
  floorBytes: 256 * 1024 ** 2,
  intervalSeconds: 300,
}

/** Parses `80%` or `50g`. Returns undefined for other texts. */
export function parseMark(text: string): Mark | undefined {
  const [, percent] = /^(\d{1,3}(?:\.\d+)?)\s*%$/.exec(text) ?? []
  if (percent === undefined) {
    const bytes = parseByteSize(text)
    return bytes === undefined ? undefined : { kind: 'amount', bytes }
  }
  const part = Number(percent) / 100
  return part > 0 && part <= 1 ? { kind: 'fullness', part } : undefined
}

/** The default of `low` if only `high` is set: ten percentage points less, or a fifth less. */
export function usualLow(high: Mark): Mark {
  return high.kind === 'fullness'
    ? { kind: 'fullness', part: Math.max(0, high.part - 0.1) }
    : { kind: 'amount', bytes: Math.floor(high.bytes * 0.8) }
}

export function isBelow(low: Mark, high: Mark): boolean {
  if (low.kind === 'fullness') return high.kind === 'fullness' && low.part < high.part
  return high.kind === 'amount' && low.bytes < high.bytes
}
