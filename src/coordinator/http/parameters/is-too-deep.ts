/** Objects and lists inside one another; no parameter has as many. */
const MAXIMUM_DEPTH = 64

/** Whether a JSON value is nested too deeply for recursive code. */
export function isTooDeep(value: unknown, levels: number = MAXIMUM_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  return Object.values(value).some((inner) => isTooDeep(inner, levels - 1))
}
