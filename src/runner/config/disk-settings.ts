import { parseByteSize } from '../executor/docker/byte-size.js'

/**
 * Where a limit lies. `fullness`: how much of the disk is taken, by whomever, from 0 to 1. `amount`: bytes that the
 * runner's own things take.
 */
export type Mark = { kind: 'fullness'; part: number } | { kind: 'amount'; bytes: number }

/** `[disk]`: what the runner leaves of its host's disks. Nothing is removed without a high mark. */
export interface DiskSettings {
  /** Above `high`, what was not used for longest is removed until `low` is reached. Both are of one kind. */
  marks: { high: Mark; low: Mark } | undefined
  /** With fewer bytes free, the runner takes no jobs. */
  floorBytes: number
  /** Seconds between two looks at the disks, while no job ends. */
  intervalSeconds: number
}

export const DISK_DEFAULTS: DiskSettings = {
  marks: undefined,
  floorBytes: 256 * 1024 ** 2,
  intervalSeconds: 300,
}

/** `80%` or `50g`; undefined when it is neither. */
export function parseMark(text: string): Mark | undefined {
  const [, percent] = /^(\d{1,3}(?:\.\d+)?)\s*%$/.exec(text) ?? []
  if (percent === undefined) {
    const bytes = parseByteSize(text)
    return bytes === undefined ? undefined : { kind: 'amount', bytes }
  }
  const part = Number(percent) / 100
  return part > 0 && part <= 1 ? { kind: 'fullness', part } : undefined
}

/** What `low` is when only `high` is said: ten points, or a fifth, less. */
export function usualLow(high: Mark): Mark {
  return high.kind === 'fullness'
    ? { kind: 'fullness', part: Math.max(0, high.part - 0.1) }
    : { kind: 'amount', bytes: Math.floor(high.bytes * 0.8) }
}

export function isBelow(low: Mark, high: Mark): boolean {
  if (low.kind === 'fullness') return high.kind === 'fullness' && low.part < high.part
  return high.kind === 'amount' && low.bytes < high.bytes
}
