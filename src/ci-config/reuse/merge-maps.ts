import { type ConfigMap, type ConfigValue, isMap } from '../yaml/config-value.js'
import { rememberMerged } from '../yaml/origins.js'

/**
 * `above` laid over `below`: maps merge key by key, anything else replaces (CI language, 6.2). `onEntry` hears of every
 * entry that is copied and may throw to end the work.
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
