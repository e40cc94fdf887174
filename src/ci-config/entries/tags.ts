import { limits } from '../limits.js'
import type { Reader } from './reader.js'
import { stringsOf, wrongItem } from './simple-values.js'

/** Tags that a runner must have; an empty list requires none (CI language, 3.10). */
export const readTags: Reader<string[]> = (value, location) => {
  const tags = stringsOf(value)
  if (!tags) return location.refuse('should be an array of strings', ...wrongItem(value))
  if (tags.length >= limits.tags) return location.refuse(`must be less than the limit of ${limits.tags} tags`)
  return tags
}
