import { invalid } from '../errors.js'
import { limits } from '../limits.js'
import { type ConfigMap, type ConfigValue, isList, isMap } from '../yaml/config-value.js'

/** One step of a path: a key, and positions in the list that it has. */
interface Segment {
  key: string
  indexes: number[]
}

/**
 * The value at a path such as `inputs.list[0].name`, whose parts between dots are `segments` (CI language, 5.3). Throws
 * `ConfigError`.
 */
export function valueAt(roots: ConfigMap, segments: readonly string[], path: string): ConfigValue {
  let value: ConfigValue = roots
  for (const written of segments) {
    const { key, indexes } = parseSegment(written, path)
    value = valueOfKey(value, key, path)
    for (const index of indexes) value = itemOf(value, index, path)
  }
  return value
}

function valueOfKey(value: ConfigValue, key: string, path: string): ConfigValue {
  const found = isMap(value) ? value.get(key) : undefined
  if (found === undefined) {
    const suggest = isMap(value) ? { words: [key], among: value.keys() } : undefined
    throw invalid(`unknown interpolation provided: \`${key}\` in \`${path}\``, [], undefined, suggest)
  }
  return found
}

function itemOf(value: ConfigValue, index: number, path: string): ConfigValue {
  if (!isList(value)) throw invalid(`cannot index into non-array value in \`${path}\``)
  const item = value[index]
  if (item !== undefined) return item
  throw invalid(`array index ${index} out of bounds (size: ${value.length}) in \`${path}\``)
}

function parseSegment(written: string, path: string): Segment {
  const start = written.indexOf('[')
  if (start < 0) return { key: written, indexes: [] }
  const key = written.slice(0, start)
  if (key === '') throw invalid(`invalid indexed access without a key in \`${path}\``)
  return { key, indexes: parseIndexes(written.slice(start), path) }
}

function parseIndexes(brackets: string, path: string): number[] {
  const indexes: number[] = []
  let rest = brackets
  while (rest !== '') {
    if (!rest.startsWith('[')) throw invalid(`invalid array index syntax in \`${path}\``)
    const end = rest.indexOf(']')
    if (end < 0) throw wrongIndex(path, 'missing closing bracket')
    const index = rest.slice(1, end)
    if (!/^\d{1,9}$/.test(index)) throw wrongIndex(path, `\`${index}\` is not a valid index`)
    indexes.push(Number(index))
    rest = rest.slice(end + 1)
  }
  if (indexes.length > limits.blockIndexes) {
    throw invalid(`too many array indices in \`${path}\` (maximum depth: ${limits.blockIndexes})`)
  }
  return indexes
}

function wrongIndex(path: string, why: string): Error {
  return invalid(`invalid array index in \`${path}\`: ${why}`)
}
