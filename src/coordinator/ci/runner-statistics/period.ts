import { SECOND, SECONDS_PER_DAY, SECONDS_PER_HOUR } from '../../../lib/time-units.js'
import { invalidParameters } from '../../http/errors.js'
import { LEVELS } from '../queue/wait-statistics/roll-up.js'

/** In milliseconds since 1970. */
export interface Span {
  from: number
  to: number
}

/** Reads a period that ends now by default. `length` is that of the default, in seconds. Throws 400 for one that is empty. */
export function spanOf(given: { from?: string; to?: string }, length: number, now: number): Span {
  // Whole seconds, so that the response stays the same within one.
  const to = given.to === undefined ? now - (now % SECOND) : Date.parse(given.to)
  const from = given.from === undefined ? to - length * SECOND : Date.parse(given.from)
  if (from >= to) throw invalidParameters('from should be before to')
  return { from, to }
}

/** Lengths of the intervals of a chart, in seconds. */
const STEPS = [300, 900, SECONDS_PER_HOUR, 6 * SECONDS_PER_HOUR, SECONDS_PER_DAY, 7 * SECONDS_PER_DAY]
const MAX_POINTS = 100

/** The shortest interval that gives few points and is stored for the whole span, in seconds. */
export function stepOf({ from, to }: Span, now: number): number {
  const finest = LEVELS.find(({ kept }) => now - from <= kept * SECOND)?.resolution ?? SECONDS_PER_DAY
  const step = STEPS.find((each) => each >= finest && (to - from) / (each * SECOND) <= MAX_POINTS)
  return step ?? 7 * SECONDS_PER_DAY
}

/** Hours, or days in a span of more than two days; in seconds. */
export function useStepOf({ from, to }: Span): number {
  return to - from > 2 * SECONDS_PER_DAY * SECOND ? SECONDS_PER_DAY : SECONDS_PER_HOUR
}
