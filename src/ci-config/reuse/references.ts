import { type ConfigError, invalid } from '../errors.js'
import { limits } from '../limits.js'
import type { Suggestion } from '../suggestion.js'
import {
  type ConfigMap,
  type ConfigValue,
  isList,
  isMap,
  isScalar,
  NODE_SIZE,
  Reference,
  scalarText,
} from '../yaml/config-value.js'
import { rememberCopy } from '../yaml/origins.js'

/**
 * Replaces every `!reference` by the value at its keys, which may be in hidden entries and contain references
 * itself (CI language, 6.3). Throws `ConfigError`.
 */
export function resolveReferences(root: ConfigMap): ConfigMap {
  const { value } = new ReferenceResolver(root).resolve(root, [])
  return isMap(value) ? value : root
}

interface Resolved {
  value: ConfigValue
  /** Estimated bytes and depth; referenced values count at each use. */
  size: number
  depth: number
}

/** Maximum recursion depth, including references: more than any tree within the limits needs. */
const DEEPEST = 4 * limits.yamlDepth

class ReferenceResolver {
  /** Anchors, `extends` and references share parts: each is resolved once. */
  private readonly done = new Map<ConfigValue, Resolved>()
  private readonly open = new Set<string>()
  private steps = 0

  constructor(private readonly root: ConfigMap) {}

  /** `at` is the path to the value from the top. */
  resolve(value: ConfigValue, at: readonly string[]): Resolved {
    if (isScalar(value)) return { value, size: scalarSize(value), depth: 0 }
    const known = this.done.get(value)
    if (known) return known
    if (++this.steps > DEEPEST) throw tooBig(at)
    const resolved = value instanceof Reference ? this.lookUp(value, at) : this.resolveParts(value, at)
    this.steps -= 1
    if (resolved.depth > limits.yamlDepth || resolved.size > limits.extendedBytes) throw tooBig(at)
    this.done.set(value, resolved)
    return resolved
  }

  private resolveParts(value: ConfigMap | readonly ConfigValue[], at: readonly string[]): Resolved {
    const total = { size: NODE_SIZE, depth: 0, isChanged: false }
    const resolvePart = (part: ConfigValue, key: string): ConfigValue => {
      const resolved = this.resolve(part, [...at, key])
      total.size += resolved.size
      total.depth = Math.max(total.depth, resolved.depth)
      total.isChanged ||= resolved.value !== part
      return resolved.value
    }
    const copy = isMap(value)
      ? new Map([...value].map(([key, part]) => [key, resolvePart(part, key)]))
      : value.map((part, index) => resolvePart(part, String(index)))
    const result = total.isChanged ? rememberCopy(copy, value) : value
    return { value: result, size: total.size, depth: total.depth + 1 }
  }

  private lookUp(reference: Reference, at: readonly string[]): Resolved {
    const shown = `!reference [${reference.path.map(shownItem).join(', ')}]`
    const keys = reference.path.filter((key) => typeof key === 'string')
    if (keys.length === 0 || keys.length < reference.path.length) throw invalid(`${shown} is not valid`, at)
    if (this.open.has(shown)) throw invalid(`${shown} is part of a circular chain`, at)
    this.open.add(shown)
    const found = this.resolve(this.valueUnder(keys), keys)
    this.open.delete(shown)
    if (found.value === null || found.value === false) {
      throw invalid(`${shown} could not be found`, at, undefined, this.suggestionFor(keys))
    }
    return found
  }

  /** The first key of the path that does not exist, and the keys that exist at that level. */
  private suggestionFor(keys: readonly string[]): Suggestion | undefined {
    let value: ConfigValue = this.root
    for (const key of keys) {
      if (!isMap(value)) return undefined
      const next = value.get(key)
      if (next === undefined) return { words: [key], among: value.keys() }
      value = next
    }
    return undefined
  }

  private valueUnder(keys: readonly string[]): ConfigValue {
    let value: ConfigValue = this.root
    for (const [index, key] of keys.entries()) {
      // A value on the path may be a reference itself.
      if (value instanceof Reference) value = this.resolve(value, keys.slice(0, index)).value
      value = isMap(value) ? (value.get(key) ?? null) : null
    }
    return value
  }
}

function scalarSize(value: ConfigValue): number {
  return NODE_SIZE + (typeof value === 'string' ? value.length : 0)
}

/** For messages: scalars unchanged, other values by type. */
function shownItem(value: ConfigValue): string {
  if (isMap(value)) return '{…}'
  if (isList(value) || value instanceof Reference) return '[…]'
  return typeof value === 'string' ? JSON.stringify(value) : scalarText(value)
}

function tooBig(at: readonly string[]): ConfigError {
  return invalid('The parsed YAML is too big', at)
}
