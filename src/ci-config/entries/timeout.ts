import { parseDuration } from '../duration.js'
import { limits } from '../limits.js'
import type { Reader } from './reader.js'

/** Seconds that a job may run (CI language, 12.9). */
export const readTimeout: Reader<number> = (value, location) => {
  const seconds = typeof value === 'string' ? parseDuration(value) : undefined
  if (seconds === undefined) return location.refuse('should be a duration')
  return seconds > limits.timeoutSeconds ? location.refuse('should not exceed the limit') : seconds
}
