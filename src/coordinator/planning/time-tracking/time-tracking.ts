import { type Static, Type } from 'typebox'

import { humanDuration, readDuration } from '../../../lib/working-time.js'
import { invalidParameters, invalidRecord } from '../../http/errors.js'
import { described } from '../../http/parameters/described.js'
import { NullableText } from '../../http/parameters/types.js'

/** The estimated time of an issue or merge request, and the time spent on it (API, F2). */
export const TimeStats = Type.Object({
  time_estimate: described(Type.Integer(), 'Estimated time, in seconds.'),
  total_time_spent: described(Type.Integer(), 'Time spent, in seconds.'),
  human_time_estimate: described(NullableText, 'Estimated time such as `3h 30m`; null if it is 0.'),
  human_total_time_spent: described(NullableText, 'Time spent such as `3h 30m`; null if it is 0.'),
})
export type TimeStats = Static<typeof TimeStats>

/** In seconds. */
export interface Tracked {
  time_estimate: number
  total_time_spent: number
}

/** New values, or what they are by the present ones. */
export type TrackedChanges = Partial<Tracked> | ((row: Tracked) => Partial<Tracked>)

export function timeStats({ time_estimate, total_time_spent }: Tracked): TimeStats {
  return {
    time_estimate,
    total_time_spent,
    human_time_estimate: humanDuration(time_estimate),
    human_total_time_spent: humanDuration(total_time_spent),
  }
}

/** Parameters of an estimate, and of time spent. */
export const Estimate = described(
  Type.String({ minLength: 1 }),
  'Duration such as `1w 2d 3h30m`; a month has 4 weeks, a week 5 days, a day 8 hours.',
)
export const SpentTime = described(Estimate, 'Duration as in an estimate; with `-` in front to subtract it.')

/** The new estimate, in seconds. Throws 400 for a text that is no duration, and for a negative one. */
export function estimateOf(duration: string): Pick<Tracked, 'time_estimate'> {
  const time_estimate = secondsIn(duration)
  if (time_estimate < 0) {
    throw invalidRecord({ time_estimate: ['must have a valid format and be greater than or equal to zero.'] })
  }
  return { time_estimate }
}

/** The new time spent. Throws 400 for a text that is no duration, and if more is subtracted than was spent. */
export function spentTimeOf(duration: string): (row: Tracked) => Pick<Tracked, 'total_time_spent'> {
  const spent = secondsIn(duration)
  return ({ total_time_spent }) => {
    const total = total_time_spent + spent
    if (total < 0) throw invalidRecord({ base: ['Time to subtract exceeds the total time spent'] })
    return { total_time_spent: total }
  }
}

function secondsIn(duration: string): number {
  const seconds = readDuration(duration)
  if (seconds === undefined) throw invalidParameters('duration is invalid')
  return seconds
}
