/** Switches that are on when nothing is said: here it is `false` that asks for something. */
const ON_BY_DEFAULT = ['safe_directory_checkout', 'clean_git_config', 'DualStack']

/**
 * Whether a value says something else than leaving the key out. Runners write `tls_verify = false`, `network_mtu = 0`
 * and empty tables into every file: of those nobody needs to be told that they have no effect.
 */
export function asksForSomething(key: string, value: unknown): boolean {
  if (value === false) return ON_BY_DEFAULT.includes(key)
  if (value === true) return !ON_BY_DEFAULT.includes(key)
  if (value === undefined || value === 0 || value === '') return false
  if (Array.isArray(value)) return value.length > 0
  if (value instanceof Date || typeof value !== 'object' || value === null) return true
  return Object.entries(value).some(([inner, item]) => asksForSomething(inner, item))
}
