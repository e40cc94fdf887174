const UNITS = [
  { name: 'd', seconds: 86_400 },
  { name: 'h', seconds: 3600 },
  { name: 'm', seconds: 60 },
] as const

/**
 * A duration in its two largest units: `1 h 04 m`, `2 m 10 s`, `12.3 s`, `0.4 s`.
 * @param seconds negative values count as 0
 */
export function formatDuration(seconds: number): string {
  const value = Math.max(0, seconds)
  if (value < 59.95) return `${value < 10 ? trimmed(value) : Math.round(value)} s`
  const whole = Math.round(value)
  const index = UNITS.findIndex((unit) => whole >= unit.seconds)
  const unit = UNITS[index] ?? UNITS[2]
  const next = UNITS[index + 1] ?? { name: 's', seconds: 1 }
  const rest = Math.floor((whole % unit.seconds) / next.seconds)
  return `${Math.floor(whole / unit.seconds)} ${unit.name} ${String(rest).padStart(2, '0')} ${next.name}`
}

/** A duration as on a clock: `2:10`, `1:04:09`. */
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const parts = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':')
}

/** Seconds between two times in ISO 8601; the end is `now` if it is absent. Undefined without a start. */
export function secondsBetween(
  start: string | null | undefined,
  end: string | null | undefined,
  now: number,
): number | undefined {
  if (!start) return undefined
  return (end ? Date.parse(end) - Date.parse(start) : now - Date.parse(start)) / 1000
}

function trimmed(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '')
}
