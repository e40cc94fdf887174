import { ConfigError, type Problem } from '../errors.js'
import { type ConfigMap, type ConfigValue, isList, isMap, Reference } from '../yaml/config-value.js'

/** `!reference` is read so that a file that uses it can be told where (CI language, 6.3). Throws `ConfigError`. */
export function refuseReferences(root: ConfigMap): void {
  const problems = [...root].flatMap(([key, value]) => placesOf(value, [key]))
  if (problems.length > 0) throw new ConfigError(problems)
}

function placesOf(value: ConfigValue, path: string[]): Problem[] {
  if (value instanceof Reference) {
    const message = `${path.filter((key) => !/^\d+$/.test(key)).join(':')} !reference is not supported by this version of Switchyard`
    return [{ message, path }]
  }
  if (isList(value)) return value.flatMap((item, index) => placesOf(item, [...path, String(index)]))
  return isMap(value) ? [...value].flatMap(([key, item]) => placesOf(item, [...path, key])) : []
}
