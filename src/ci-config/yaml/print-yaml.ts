import { Pair, Scalar, stringify, YAMLMap, YAMLSeq } from 'yaml'

import { type ConfigMap, type ConfigValue, isList, isMap, Reference } from './config-value.js'

const STYLE = { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false } as const

/** Prints a configuration as a CI file that parses to the same values. Shared parts are repeated. */
export function printYaml(map: ConfigMap): string {
  return stringify(nodeOf(map), STYLE)
}

type Node = Scalar | YAMLMap | YAMLSeq

/** Built here, because the library would treat a `Map` as another kind of map. */
function nodeOf(value: ConfigValue): Node {
  if (isMap(value)) {
    const map = new YAMLMap()
    for (const [key, item] of value) map.items.push(new Pair(new Scalar(key), nodeOf(item)))
    return map
  }
  if (isList(value) || value instanceof Reference) {
    const list = new YAMLSeq()
    list.items.push(...(isList(value) ? value : value.path).map(nodeOf))
    return list
  }
  return scalarOf(value)
}

/** Integers are bigints: a number without a fraction had one in the file. */
function scalarOf(value: ConfigValue): Scalar {
  const scalar = new Scalar(value)
  if (typeof value === 'number' && Number.isInteger(value)) scalar.minFractionDigits = 1
  return scalar
}
