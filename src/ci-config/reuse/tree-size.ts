import { type ConfigValue, isList, isMap, NODE_SIZE } from '../yaml/config-value.js'

/** Estimated bytes of a tree in which parts are shared, each counted every time it appears; linear in what is really there. */
export function treeSize(value: ConfigValue, known = new Map<ConfigValue, number>()): number {
  if (typeof value === 'string') return NODE_SIZE + value.length
  const parts = isMap(value) ? [...value.values()] : isList(value) ? value : undefined
  if (!parts) return NODE_SIZE
  const seen = known.get(value)
  if (seen !== undefined) return seen
  const size = parts.reduce((sum: number, part) => sum + treeSize(part, known), NODE_SIZE)
  known.set(value, size)
  return size
}
