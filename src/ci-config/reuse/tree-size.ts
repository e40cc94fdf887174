import { invalid } from '../errors.js'
import { limits } from '../limits.js'
import { type ConfigValue, isList, isMap, NODE_SIZE } from '../yaml/config-value.js'

interface Measured {
  /** Estimated bytes. */
  size: number
  /** Maps and lists inside one another. */
  depth: number
}

/**
 * A tree may share parts, so a few lines can expand to more than later steps can process. Throws
 * `ConfigError`.
 */
export function refuseBigTree(value: ConfigValue): void {
  const { size, depth } = measure(value, new Map())
  if (size > limits.extendedBytes || depth > limits.yamlDepth) throw invalid('The parsed YAML is too big')
}

/** Counts shared parts at each use, in time linear in the distinct parts. */
function measure(value: ConfigValue, known: Map<ConfigValue, Measured>): Measured {
  if (typeof value === 'string') return { size: NODE_SIZE + value.length, depth: 0 }
  const parts = isMap(value) ? [...value.values()] : isList(value) ? value : undefined
  if (!parts) return { size: NODE_SIZE, depth: 0 }
  const seen = known.get(value)
  if (seen) return seen
  const total = { size: NODE_SIZE, depth: 0 }
  for (const part of parts) {
    const { size, depth } = measure(part, known)
    total.size += size
    total.depth = Math.max(total.depth, depth)
  }
  const measured = { size: total.size, depth: total.depth + 1 }
  known.set(value, measured)
  return measured
}
