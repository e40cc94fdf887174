import { nextRuns } from '../../../cron/cron.js'
import { zoneOf } from '../../../cron/zone-names.js'

/** A time of a schedule, in milliseconds since 1970, with its words in the time zone of the schedule. */
export interface ShownTime {
  at: number
  /** Without the day, if it is that of the time before. */
  text: string
}

const SHOWN = 5

/** The next times of a cron expression, without those in the past. Empty for an expression or zone that is invalid. */
export function nextTimes(cron: string, timeZone: string, now: number, count = SHOWN): ShownTime[] {
  let format: Intl.DateTimeFormat
  try {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone: zoneOf(timeZone),
      weekday: 'short',
      day: 'numeric',
      month: 'short',
    })
  } catch (error) {
    if (error instanceof RangeError) return []
    throw error
  }
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: zoneOf(timeZone),
    hour: '2-digit',
    minute: '2-digit',
  })
  const times = nextRuns(cron, timeZone, now, count)
  const days = times.map((at) => format.format(at).replace(',', ''))
  return times.map((at, index) => ({
    at,
    text: days[index] === days[index - 1] ? clock.format(at) : `${days[index]}, ${clock.format(at)}`,
  }))
}
