const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 8 * HOUR
const WEEK = 5 * DAY
const MONTH = 4 * WEEK

/** Seconds of each unit, the longest first: working time, in which a day has eight hours. */
const UNITS = [
  ['mo', MONTH],
  ['w', WEEK],
  ['d', DAY],
  ['h', HOUR],
  ['m', MINUTE],
  ['s', 1],
] as const

const SECONDS = new Map<string, number>(UNITS)
/** Longest duration, in seconds: more than thirty working lives, and exact in both databases. */
const MAXIMUM = 2 ** 31 - 1

/** Reads `1w 2d 3h30m`, with `-` in front for less time (API, F2). Undefined if it is no duration. */
export function readDuration(text: string): number | undefined {
  const [, sign, parts = ''] = /^\s*(-?)\s*((?:\d+(?:\.\d+)?\s*(?:mo|w|d|h|m|s)\s*)+)$/i.exec(text) ?? []
  if (sign === undefined) return undefined
  let seconds = 0
  for (const [, amount, unit = ''] of parts.matchAll(/(\d+(?:\.\d+)?)\s*(mo|w|d|h|m|s)/gi)) {
    seconds += Number(amount) * (SECONDS.get(unit.toLowerCase()) ?? 0)
  }
  const rounded = Math.round(seconds)
  if (rounded > MAXIMUM) return undefined
  return sign === '-' ? -rounded : rounded
}

/** `1w 2d 3h 30m`; null for no time. */
export function humanDuration(seconds: number): string | null {
  let rest = Math.abs(seconds)
  const parts: string[] = []
  for (const [unit, length] of UNITS) {
    const amount = Math.floor(rest / length)
    if (amount > 0) parts.push(`${amount}${unit}`)
    rest -= amount * length
  }
  if (parts.length === 0) return null
  return `${seconds < 0 ? '-' : ''}${parts.join(' ')}`
}
