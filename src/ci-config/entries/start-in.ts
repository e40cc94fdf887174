import { parseDuration } from '../duration.js'
import { limits } from '../limits.js'
import type { ConfigMap } from '../yaml/config-value.js'
import type { Place } from './place.js'
import type { Reader } from './reader.js'

/** Seconds; what is wrong with it depends on `when` too, so `checkStartIn` tells it (CI language, 3.16). */
export const readStartIn: Reader<number> = (value) =>
  (typeof value === 'string' ? parseDuration(value) : undefined) ?? null

/** With `when: delayed` and only then. */
export function checkStartIn(map: ConfigMap, place: Place): void {
  const written = map.get('start_in') ?? null
  const at = place.attribute('start_in')
  if (map.get('when') !== 'delayed') {
    // With rules the key itself is refused.
    if (written !== null && (map.get('rules') ?? null) === null) at.refuse('must be blank')
    return
  }
  const seconds = typeof written === 'string' ? parseDuration(written) : undefined
  if (seconds === undefined) at.refuse('should be a duration')
  else if (seconds > limits.startInSeconds) at.refuse('should not exceed the limit')
}
