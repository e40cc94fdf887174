/** Keys whose default is true: their value `false` requests something. */
const ON_BY_DEFAULT = ['safe_directory_checkout', 'clean_git_config', 'DualStack']

/**
 * Whether a value differs from an absent key. Runners write `tls_verify = false`, `network_mtu = 0` and empty
 * tables into every file. A warning that these have no effect would help no one.
 */
export function isNonNeutral(key: string, value: unknown): boolean {
  if (value === false) return ON_BY_DEFAULT.includes(key)
  if (value === true) return !ON_BY_DEFAULT.includes(key)
  if (value === undefined || value === 0 || value === '') return false
  if (Array.isArray(value)) return value.length > 0
  if (value instanceof Date || typeof value !== 'object' || value === null) return true
  return Object.entries(value).some(([inner, item]) => isNonNeutral(inner, item))
}
