import { useNow } from './clock.js'
import { formatDuration, secondsBetween } from './durations.js'
import { relativeTime } from './relative-time.js'

const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
const SHORT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })
/** Date and time in the form of the reader's language. */
export function fullTime(value: string): string {
  return FULL.format(new Date(value))
}

/** The day in the form of the reader's language. */
export function fullDate(value: string): string {
  return DAY.format(new Date(value))
}

/** The time of day, with seconds, in the form of the reader's language. `value` is in milliseconds since 1970. */
export function clockTime(value: number): string {
  return CLOCK.format(value)
}

/**
 * How long ago a time is, or date and time if the document says so, with the full time as a tooltip; "never" without a
 * time. `value` is in ISO 8601.
 */
export function Time({ value }: { value: string | null | undefined }) {
  const now = useNow(Boolean(value))
  if (!value) return <span>never</span>
  const relative = relativeTime(Date.parse(value), now)
  const isFull = document.documentElement.dataset['times'] === 'full'
  return (
    <time dateTime={value} title={isFull ? `${fullTime(value)}, ${relative}` : fullTime(value)}>
      {isFull ? SHORT.format(new Date(value)) : relative}
    </time>
  )
}

interface DurationProps {
  /** In seconds; without it, the time between `from` and `to`, which grows while `to` is absent. */
  seconds?: number | null | undefined
  from?: string | null | undefined
  to?: string | null | undefined
}

export function Duration({ seconds, from, to }: DurationProps) {
  const now = useNow(seconds === undefined && Boolean(from) && !to)
  const value = seconds ?? secondsBetween(from, to, now)
  return value === undefined ? null : <span>{formatDuration(value)}</span>
}
