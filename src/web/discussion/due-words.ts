const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
const DAY_MILLISECONDS = 86_400_000
/** Days before the due date from which it is marked. */
const SOON = 3

/** A day such as `2030-01-31` in the form of the reader's language. */
export function formatDay(day: string): string {
  return DAY.format(new Date(`${day}T00:00:00Z`))
}

/** What to say about a day that is over or near, by the reader's own calendar; undefined for others. */
export function dueWords(day: string, now: Date): { text: string; tone: 'overdue' | 'soon' } | undefined {
  const today = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate())
  const days = Math.round((Date.parse(`${day}T00:00:00Z`) - today) / DAY_MILLISECONDS)
  if (days < 0) return { text: 'overdue', tone: 'overdue' }
  if (days === 0) return { text: 'today', tone: 'soon' }
  if (days === 1) return { text: 'tomorrow', tone: 'soon' }
  return days <= SOON ? { text: `in ${days} days`, tone: 'soon' } : undefined
}
