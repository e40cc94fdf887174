import { type ConfigMap, type ConfigValue, isMap } from '../yaml/config-value.js'
import { rememberMerged } from '../yaml/origins.js'

/**
 * Merges `above` over `below`: maps merge key by key, other values are replaced (CI language, 6.2). `onEntry`
 * is called for every copied entry and may throw to abort.
 */
export function mergeMaps(below: ConfigMap, above: ConfigMap, onEntry: () => void): ConfigMap {
  const merged = new Map<string, ConfigValue>()
  for (const [key, value] of below) {
    onEntry()
    merged.set(key, value)
  }
  for (const [key, value] of above) {
    onEntry()
    const lower = merged.get(key)
    merged.set(key, isMap(lower) && isMap(value) ? mergeMaps(lower, value, onEntry) : value)
  }
  return rememberMerged(merged, [above, below])
}
