const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const UNITS = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** "3 m ago", as durations are written, "in 2 days"; "just now" within half a minute. */
export function relativeTime(time: number, now: number): string {
  const seconds = (time - now) / 1000
  const unit = UNITS.find(([, length]) => Math.abs(seconds) >= length)
  if (!unit) return Math.abs(seconds) < 30 ? 'just now' : RELATIVE.format(Math.round(seconds), 'second')
  const [name, length] = unit
  const count = Math.trunc(seconds / length)
  if (length > 3600) return RELATIVE.format(count, name)
  return count < 0 ? `${-count} ${name.charAt(0)} ago` : `in ${count} ${name.charAt(0)}`
}
