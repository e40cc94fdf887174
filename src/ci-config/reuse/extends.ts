import { invalid } from '../errors.js'
import { limits } from '../limits.js'
import { type ConfigMap, type ConfigValue, isList, isMap, Reference } from '../yaml/config-value.js'
import { rememberMerged } from '../yaml/origins.js'
import { mergeMaps } from './merge-maps.js'
import { refuseBigTree } from './tree-size.js'

/**
 * Resolves `extends` in every top-level map that has it: its bases are merged in list order, with the map
 * itself on top (CI language, 6.2). The key itself is kept. Throws `ConfigError`.
 */
export function resolveExtends(root: ConfigMap): ConfigMap {
  const resolver = new ExtendsResolver(root)
  const resolved = new Map([...root].map(([key, value]) => [key, resolver.resolve(key, value, []).value]))
  refuseBigTree(resolved)
  return rememberMerged(resolved, [root])
}

interface Resolved {
  value: ConfigValue
  /** Length of the chain of entries with `extends` from this one on, including it. */
  height: number
  /** The base that determines the height. */
  tallest?: string
}

class ExtendsResolver {
  private readonly done = new Map<string, Resolved>()
  private copied = 0

  constructor(private readonly root: ConfigMap) {}

  /** `above` are the entries that led here, so recursion is limited to the allowed depth. */
  resolve(key: string, value: ConfigValue, above: string[]): Resolved {
    const known = this.done.get(key)
    if (known) {
      this.refuseDepth(key, known, above.length)
      return known
    }
    const names = baseNames(key, value)
    if (!isMap(value) || names === undefined) return { value, height: 0 }
    this.refuseBases(key, names)
    if (above.length > limits.extendsAbove) throw tooDeep(key)
    if (above.includes(key)) throw refusal(key, 'circular dependency detected in `extends`')
    const resolved = this.mergeBases(key, value, names, [...above, key])
    this.done.set(key, resolved)
    return resolved
  }

  private mergeBases(key: string, own: ConfigMap, names: string[], above: string[]): Resolved {
    let merged: ConfigMap = new Map()
    let height = 0
    let tallest: string | undefined
    for (const name of names) {
      const base = this.resolve(name, this.root.get(name) ?? null, above)
      if (base.height > height) [height, tallest] = [base.height, name]
      if (isMap(base.value)) merged = this.merge(merged, base.value)
    }
    return { value: this.merge(merged, own), height: height + 1, tallest }
  }

  private merge(below: ConfigMap, above: ConfigMap): ConfigMap {
    if (below.size === 0) return above
    return mergeMaps(below, above, () => {
      this.copied += 1
      if (this.copied > limits.extendedEntries) throw invalid('The parsed YAML is too big')
    })
  }

  private refuseBases(key: string, names: string[]): void {
    const unknown = names.filter((name) => !this.root.has(name))
    if (unknown.length > 0) {
      const at = positionOf(this.root.get(key), unknown[0] ?? '')
      throw invalid(
        `${key}: unknown keys in \`extends\` (${unknown.join(', ')})`,
        [key, 'extends', ...at],
        undefined,
        {
          words: unknown,
          among: this.root.keys(),
        },
      )
    }
    const invalidBases = names.filter((name) => !isMap(this.root.get(name)))
    if (invalidBases.length > 0) {
      throw refusal(key, `invalid base hashes in \`extends\` (${invalidBases.join(', ')})`)
    }
  }

  /** A resolved entry may still exceed the depth in another chain. */
  private refuseDepth(key: string, known: Resolved, depth: number): void {
    if (depth + known.height <= limits.extendsAbove + 1) return
    let name = key
    for (let level = depth; level <= limits.extendsAbove; level++) name = this.done.get(name)?.tallest ?? name
    throw tooDeep(name)
  }
}

/** Undefined if there is nothing to extend; the check of the job refuses values of other types. */
function baseNames(key: string, value: ConfigValue): string[] | undefined {
  const written = isMap(value) ? value.get('extends') : undefined
  // References are resolved after `extends`, so they cannot be used here (CI language, 6.3).
  if (written instanceof Reference) throw refusal(key, '`extends` cannot be a !reference')
  if (typeof written === 'string') return [written]
  if (!isList(written)) return undefined
  const names = written.filter((name) => typeof name === 'string')
  return names.length === written.length && names.length > 0 ? names : undefined
}

function tooDeep(key: string): Error {
  return refusal(key, 'nesting too deep in `extends`')
}

function refusal(key: string, message: string): Error {
  return invalid(`${key}: ${message}`, [key, 'extends'])
}

/** The position of a base in a list of bases. */
function positionOf(entry: ConfigValue | undefined, base: string): string[] {
  const written = isMap(entry) ? entry.get('extends') : undefined
  return isList(written) ? [String(written.indexOf(base))] : []
}
