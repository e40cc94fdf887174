import type { Reader } from './reader.js'
import { flatStringsOf, stringsOf } from './simple-values.js'

/** `script`, `before_script`, `after_script`, a service's `command` (CI language, 3.2). */
export const readScript: Reader<string[]> = (value, place) => {
  const lines = typeof value === 'string' ? [value] : flatStringsOf(value)
  return lines ?? place.refuse('should be a string or a nested array of strings up to 10 levels deep')
}

/** One name or several (CI language, 6.2). */
export const readNames: Reader<string[]> = (value, place) => {
  const names = typeof value === 'string' ? [value] : stringsOf(value)
  return names ?? place.refuse('should be an array of strings or a string')
}
