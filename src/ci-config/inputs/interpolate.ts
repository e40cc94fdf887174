import { ConfigError, invalid, type Problem } from '../errors.js'
import { limits } from '../limits.js'
import { refuseBigTree } from '../reuse/tree-size.js'
import { type ConfigMap, type ConfigValue, isList, isMap, Reference } from '../yaml/config-value.js'
import { rememberMoved } from '../yaml/origins.js'
import { insertedText } from './input-types.js'
import { valueAt } from './interpolation-access.js'
import { type InterpolationBlock, mayInterpolate, parseBlock, splitAtBlocks } from './interpolation-block.js'
import { applyFunction, type ExpandVariables } from './interpolation-functions.js'

/** The values that blocks may reference: `inputs` and `component`. */
export interface Interpolated {
  roots: ConfigMap
  expandVariables: ExpandVariables
}

/** Maximum number of problems shown, joined to one message (CI language, 5.2). */
export const SHOWN_ERRORS = 3

/**
 * Replaces `$[[ … ]]` in keys and values; inserted text is not processed again (CI language, 5.3). Throws
 * `ConfigError`.
 */
export function interpolate(content: ConfigMap, available: Interpolated): ConfigMap {
  const interpolator = new Interpolator(available)
  const result = interpolator.valueOf(content, [])
  const problems = interpolator.problems
  if (problems.length > 0) {
    const message = [...new Set(problems.map((problem) => problem.message))].slice(0, SHOWN_ERRORS).join(', ')
    const suggest = problems.find((problem) => problem.suggest)?.suggest
    throw new ConfigError([{ message, path: problems[0]?.path ?? [], ...(suggest && { suggest }) }])
  }
  refuseBigTree(result)
  return isMap(result) ? result : content
}

class Interpolator {
  readonly problems: Problem[] = []
  /** Values of blocks that were met before. */
  private readonly blocks = new Map<string, ConfigValue>()
  /** Anchors share values: each is processed once. */
  private readonly done = new Map<ConfigValue, ConfigValue>()
  private inserted = 0

  constructor(private readonly available: Interpolated) {}

  valueOf(value: ConfigValue, at: readonly string[]): ConfigValue {
    if (typeof value === 'string') return this.attempt(value, at, () => this.scalar(value))
    const known = this.done.get(value)
    if (known !== undefined) return known
    const result = this.partsOf(value, at)
    this.done.set(value, result)
    return result
  }

  private partsOf(value: ConfigValue, at: readonly string[]): ConfigValue {
    if (isMap(value)) return this.map(value, at)
    if (isList(value)) return this.list(value, at)
    if (!(value instanceof Reference)) return value
    const path = this.list(value.path, at)
    return path === value.path ? value : new Reference(path)
  }

  private map(map: ConfigMap, at: readonly string[]): ConfigMap {
    const written = new Map<string, string>()
    const copy = new Map<string, ConfigValue>()
    let isChanged = false
    for (const [key, value] of map) {
      const path = [...at, key]
      const name = mayInterpolate(key) ? insertedText(this.attempt(key, path, () => this.scalar(key))) : key
      const result = this.valueOf(value, path)
      isChanged ||= name !== key || result !== value
      written.set(name, key)
      copy.set(name, result)
    }
    return isChanged ? rememberMoved(copy, map, (key) => written.get(key) ?? key) : map
  }

  private list(list: readonly ConfigValue[], at: readonly string[]): readonly ConfigValue[] {
    const items = list.map((item, index) => {
      const result = this.valueOf(item, [...at, String(index)])
      // A block with a list value inserts all its items here.
      const values = typeof item === 'string' && isList(result) ? result : [result]
      return { index, values, isChanged: result !== item }
    })
    if (!items.some(({ isChanged }) => isChanged)) return list
    const positions = items.flatMap(({ index, values }) => values.map(() => String(index)))
    const copy = items.flatMap(({ values }) => values)
    return rememberMoved(copy, list, (key) => positions[Number(key)] ?? key)
  }

  /** A text that consists of one block becomes its value, with its type. */
  private scalar(text: string): ConfigValue {
    if (!mayInterpolate(text)) return text
    if (text.length > limits.interpolatedScalar) throw invalid('config node too large')
    const parts = splitAtBlocks(text)
    const [only] = parts
    if (parts.length === 1 && only?.isBlock) return this.block(only.text)
    return parts.map((part) => (part.isBlock ? this.insertion(part.text) : part.text)).join('')
  }

  private insertion(block: string): string {
    const text = insertedText(this.block(block))
    this.inserted += text.length
    if (text.length > limits.interpolatedScalar || this.inserted > limits.interpolatedBytes) {
      throw invalid('config node too large')
    }
    return text
  }

  private block(block: string): ConfigValue {
    const known = this.blocks.get(block)
    if (known !== undefined) return known
    if (this.blocks.size >= limits.blocks) throw invalid('too many interpolation blocks')
    const parsed = parseBlock(block)
    const value = parsed.segments[0] === 'matrix' ? block : this.evaluate(parsed)
    this.blocks.set(block, value)
    return value
  }

  private evaluate({ path, segments, functions }: InterpolationBlock): ConfigValue {
    const found = valueAt(this.available.roots, segments, path)
    return functions.reduce(
      (value: ConfigValue, written) => applyFunction(written, value, this.available.expandVariables),
      found,
    )
  }

  /** A text with an error is kept, so that the other texts are processed too. */
  private attempt(text: string, at: readonly string[], work: () => ConfigValue): ConfigValue {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      if (this.problems.length < limits.problems) {
        const suggest = error.problems[0]?.suggest
        this.problems.push({ message: error.message, path: at, ...(suggest && { suggest }) })
      }
      return text
    }
  }
}
