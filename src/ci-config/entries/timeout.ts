import { parseDuration } from '../duration.js'
import { limits } from '../limits.js'
import type { Reader } from './reader.js'

/** Seconds that a job may run (CI language, 12.9). */
export const readTimeout: Reader<number> = (value, place) => {
  const seconds = typeof value === 'string' ? parseDuration(value) : undefined
  if (seconds === undefined) return place.refuse('should be a duration')
  return seconds > limits.timeoutSeconds ? place.refuse('should not exceed the limit') : seconds
}
