import { parseDuration } from '../duration.js'
import { limits } from '../limits.js'
import type { ConfigMap } from '../yaml/config-value.js'
import type { Location } from './location.js'
import type { Reader } from './reader.js'

/** Seconds. Problems depend on `when` too, so `checkStartIn` reports them (CI language, 3.16). */
export const readStartIn: Reader<number> = (value) =>
  (typeof value === 'string' ? parseDuration(value) : undefined) ?? null

/** Reads a delay up to the maximum. */
export const readDelay: Reader<number> = (value, location) => {
  const seconds = typeof value === 'string' ? parseDuration(value) : undefined
  if (seconds === undefined) return location.refuse('should be a duration')
  return seconds > limits.startInSeconds ? location.refuse('should not exceed the limit') : seconds
}

/** Required with `when: delayed`, and otherwise refused. */
export function checkStartIn(map: ConfigMap, location: Location): void {
  const written = map.get('start_in') ?? null
  const at = location.attribute('start_in')
  if (map.get('when') !== 'delayed') {
    // With rules, the key itself is refused.
    if (written !== null && (map.get('rules') ?? null) === null) at.refuse('must be blank')
    return
  }
  if (written === null) at.refuse('should be a duration')
  else readDelay(written, at)
}
