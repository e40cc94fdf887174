import type { BurndownEvent } from '../../../coordinator/planning/resource-events/burndown-schema.js'
import type { ChartData } from '../../charts/scales.js'

/** Days that a chart shows at most. */
const MAX_DAYS = 1500

export interface Burndown {
  /** Remaining, total, and the line from all at the start to none at the due date. */
  data: ChartData
  /** What is open and what there is now. */
  remaining: number
  total: number
}

/** The dates of a milestone, and the present day, as `2030-01-31`. */
interface Period {
  start: string
  due: string
  /** Null for a milestone that is closed: its chart ends with it. */
  today: string | null
}

/**
 * How much was open at the end of each day, in the reader's time zone. After the due date the chart continues until today,
 * while the milestone is open.
 * @param events the oldest first
 */
export function burndownOf(
  events: readonly BurndownEvent[],
  { start, due, today }: Period,
  by: 'issues' | 'weight',
): Burndown {
  const [first, end] = [dayAt(start), dayAt(due)]
  const last = today !== null && today > due ? dayAt(today) : end
  const times: number[] = []
  const values: [(number | null)[], (number | null)[], (number | null)[]] = [[], [], []]
  let [remaining, total, next] = [0, 0, 0]
  const take = (until: number) => {
    for (; next < events.length && Date.parse(events[next]?.created_at ?? '') < until; next += 1) {
      const event = events[next]
      if (!event) break
      const amount = by === 'issues' ? 1 : (event.weight ?? 0)
      if (event.action === 'created') total += amount
      remaining += event.action === 'closed' ? -amount : amount
    }
  }
  // A closed milestone has no day of its end: the last event is the last day of which something is known.
  const known = today === null ? (events.at(-1)?.created_at.slice(0, 10) ?? start) : today
  for (const day = new Date(first); day <= last && times.length < MAX_DAYS; day.setDate(day.getDate() + 1)) {
    const midnight = new Date(day)
    midnight.setDate(day.getDate() + 1)
    const isKnown = day <= dayAt(known)
    if (isKnown) take(midnight.getTime())
    times.push(day.getTime() / 1000)
    values[0].push(isKnown ? remaining : null)
    values[1].push(isKnown ? total : null)
  }
  take(Infinity)
  const length = Math.max(1, end.getTime() - first.getTime())
  values[2] = times.map((time) =>
    time * 1000 > end.getTime() ? null : total * (1 - (time * 1000 - first.getTime()) / length),
  )
  return { data: { times, values }, remaining, total }
}

/** Midnight of a day in the reader's time zone. */
function dayAt(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date)
}

/** The day of a time in the reader's time zone, as `2030-01-31`. */
export function dayOf(time: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
}
