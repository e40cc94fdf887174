/** Objects and lists inside one another; no parameter has as many. */
const MAXIMUM_DEPTH = 64

/** Whether a value of JSON holds more levels than whoever walks it should have to bear. */
export function isTooDeep(value: unknown, levels: number = MAXIMUM_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  return Object.values(value).some((inner) => isTooDeep(inner, levels - 1))
}
