import type { Reader } from './reader.js'
import { flatStringsOf, wrongFlatItem } from './simple-values.js'

/** `script`, `before_script`, `after_script`, a service's `command` (CI language, 3.2). */
export const readScript: Reader<string[]> = (value, location) => {
  const lines = typeof value === 'string' ? [value] : flatStringsOf(value)
  return (
    lines ??
    location.refuse(
      'should be a string or a nested array of strings up to 10 levels deep',
      ...wrongFlatItem(value),
    )
  )
}
