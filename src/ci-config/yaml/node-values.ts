import { invalid, type Problem } from '../errors.js'
import { limits } from '../limits.js'
import {
  type ConfigMap,
  type ConfigValue,
  isMap as isConfigMap,
  isList,
  NODE_SIZE,
  Reference,
  scalarText,
} from './config-value.js'
import { rememberWritten, type SourceText } from './origins.js'
import type { YamlAlias, YamlList, YamlMap, YamlNode } from './yaml-node.js'

/** A value with its estimated bytes in memory and its depth, every alias counted each time it is used. */
interface Measured {
  value: ConfigValue
  size: number
  depth: number
}

/**
 * Converts the nodes of one document to plain values: anchors are shared, `<<` is merged, keys become text,
 * and the last of two equal keys wins (CI language, 1.2). An alias costs nothing here, whatever its size, so
 * an exponentially growing file is refused by its computed size before it is traversed. Equal keys are added to
 * `warnings`. Throws `ConfigError`.
 */
export function valueOf(root: YamlNode, source: SourceText, warnings: Problem[] = []): ConfigValue {
  return new NodeReader(source, warnings).read(root).value
}

class NodeReader {
  private readonly anchors = new Map<string, Measured>()

  constructor(
    private readonly source: SourceText,
    private readonly warnings: Problem[],
  ) {}

  read(node: YamlNode): Measured {
    const measured = this.measure(node)
    if (measured.size > limits.yamlBytes || measured.depth > limits.yamlDepth) {
      throw invalid('The parsed YAML is too big')
    }
    if (node.kind !== 'alias' && node.anchor !== undefined) this.anchors.set(node.anchor, measured)
    return measured
  }

  private measure(node: YamlNode): Measured {
    switch (node.kind) {
      case 'alias':
        return this.anchored(node)
      case 'map':
        return this.readMap(node)
      case 'list':
        return this.readList(node)
      case 'scalar': {
        const { value } = node
        return { value, size: NODE_SIZE + (typeof value === 'string' ? value.length : 0), depth: 0 }
      }
    }
  }

  private anchored({ name, offset }: YamlAlias): Measured {
    const measured = this.anchors.get(name)
    if (measured) return measured
    // The author probably meant a pattern such as `*.log`, which needs quotes.
    throw invalid(`Unknown alias: ${name}`, [], this.source.locationOf(offset))
  }

  private readList({ items, offsets, isReference }: YamlList): Measured {
    const total = new Total()
    const values = items.map((node) => total.add(this.read(node)))
    rememberWritten(values, this.source, offsets)
    return total.of(isReference ? new Reference(values) : values)
  }

  private readMap({ entries }: YamlMap): Measured {
    const total = new Total()
    const map = new MergingMap()
    for (const { key, value, offset } of entries) {
      const text = total.addKey(this.keyText(key))
      const read = total.add(this.read(value))
      const isMerge = key.kind === 'scalar' && key.isMerge
      if (isMerge && map.merge(read)) continue
      const earlier = map.offsets.get(text)
      if (earlier !== undefined) this.warn(text, earlier, offset)
      map.set(text, read, offset)
    }
    rememberWritten(map.entries, this.source, map.offsets, map.merged)
    return total.of(map.entries)
  }

  private warn(key: string, earlier: number, later: number): void {
    if (this.warnings.length >= limits.problems) return
    const location = this.source.locationOf(later)
    const lines = `lines ${this.source.locationOf(earlier).line} and ${location.line}`
    const message = `The key \`${key}\` is in ${lines} of ${location.file}: only the last one counts`
    this.warnings.push({ message, path: [], location })
  }

  private keyText(node: YamlNode): string {
    const { value } = this.read(node)
    if (isConfigMap(value) || isList(value) || value instanceof Reference) {
      throw invalid('Invalid YAML syntax: the key of a map must be a scalar')
    }
    return scalarText(value)
  }
}

/**
 * Own keys take precedence over merged ones. The earlier of several merged maps in one list wins, and the
 * later of several `<<`.
 */
class MergingMap {
  readonly entries = new Map<string, ConfigValue>()
  /** The offsets of its own keys. */
  readonly offsets = new Map<string, number>()
  /** The strongest first. */
  merged: ConfigMap[] | undefined

  set(key: string, value: ConfigValue, offset: number): void {
    this.entries.set(key, value)
    this.offsets.set(key, offset)
  }

  /** False if the value cannot be merged: then `<<` is an ordinary key. */
  merge(source: ConfigValue): boolean {
    const sources = isList(source) ? source : [source]
    if (!sources.every(isConfigMap)) return false
    for (const [key, value] of [...sources].reverse().flatMap((map) => [...map])) {
      if (!this.offsets.has(key)) this.entries.set(key, value)
    }
    this.merged = [...sources, ...(this.merged ?? [])]
    return true
  }
}

class Total {
  private size = NODE_SIZE
  private depth = 0

  add({ value, size, depth }: Measured): ConfigValue {
    this.spend(size)
    this.depth = Math.max(this.depth, depth)
    return value
  }

  addKey(key: string): string {
    this.spend(NODE_SIZE + key.length)
    return key
  }

  /** Called before the parts are merged, because the cost of merging depends on their size. */
  private spend(size: number): void {
    this.size += size
    if (this.size > limits.yamlBytes) throw invalid('The parsed YAML is too big')
  }

  of(value: ConfigValue): Measured {
    return { value, size: this.size, depth: this.depth + 1 }
  }
}
