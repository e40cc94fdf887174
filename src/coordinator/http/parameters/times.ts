const DAY = String.raw`(?<day>\d{4}-\d{2}-\d{2})`
const CLOCK = String.raw`\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?`
const ZONE = String.raw` ?(?:Z|UTC|[+-]\d{2}:?\d{2})`
const TIME = new RegExp(`^${DAY}(?:[T ](?<clock>${CLOCK})(?<zone>${ZONE})?)?$`, 'i')

/**
 * Returns the text as `2013-10-02T09:24:18.000Z`; undefined for an invalid time. A date means its first
 * moment. Without a time zone, UTC applies, regardless of the zone of this machine (API, A5).
 */
export function readTime(text: string): string | undefined {
  const { day = '', clock = '00:00', zone = 'Z' } = TIME.exec(text)?.groups ?? {}
  if (!isDay(day)) return undefined
  const time = new Date(`${day}T${clock}${zone.trim().replace(/^UTC$/i, 'Z')}`)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}

/** The date of a time as `2013-10-02`, in the zone that it names; undefined if it is invalid. */
export function readDay(text: string): string | undefined {
  return readTime(text) === undefined ? undefined : TIME.exec(text)?.groups?.['day']
}

/** `Date` would accept 30 February and count on. */
function isDay(day: string): boolean {
  const start = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(start.getTime()) && start.toISOString().startsWith(day)
}
