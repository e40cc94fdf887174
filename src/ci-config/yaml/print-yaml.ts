import { Pair, Scalar, stringify, YAMLMap, YAMLSeq } from 'yaml'

import { type ConfigMap, type ConfigValue, isList, isMap, Reference } from './config-value.js'

const STYLE = { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false } as const

/** A configuration as the text of a CI file: reading it again gives the same values. Shared parts are written out. */
export function printYaml(map: ConfigMap): string {
  return stringify(nodeOf(map), STYLE)
}

type Node = Scalar | YAMLMap | YAMLSeq

/** Made by hand: the library would take a `Map` for another kind of map. */
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

/** Integers are bigints: a number without a fraction was written with one. */
function scalarOf(value: ConfigValue): Scalar {
  const scalar = new Scalar(value)
  if (typeof value === 'number' && Number.isInteger(value)) scalar.minFractionDigits = 1
  return scalar
}
