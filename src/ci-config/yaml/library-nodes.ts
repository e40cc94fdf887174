import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
} from 'yaml'

import type { ConfigScalar } from './config-value.js'
import type { YamlNode } from './yaml-node.js'

/** The nodes of a document from the YAML library; undefined for an empty document. */
export function libraryNodes({ contents }: Document.Parsed): YamlNode | undefined {
  return contents ? nodeOf(contents) : undefined
}

/** An alias has no anchor of its own. */
function nodeOf(node: Node | null): YamlNode {
  if (isAlias(node)) return aliasOf(node)
  const anchor = node && 'anchor' in node && typeof node.anchor === 'string' ? { anchor: node.anchor } : {}
  if (isMap(node)) {
    const pairs = node.items as Pair<Node, Node | null>[]
    const entries = pairs.map(({ key, value }) => ({
      key: nodeOf(key),
      value: nodeOf(value),
      offset: offsetOf(key),
    }))
    return { kind: 'map', entries, ...anchor }
  }
  if (isSeq(node)) {
    const items = node.items as Node[]
    const isReference = node.tag === '!reference'
    return {
      kind: 'list',
      items: items.map(nodeOf),
      offsets: items.map(offsetOf),
      ...(isReference && { isReference }),
      ...anchor,
    }
  }
  const value = isScalar(node) ? (node.value as ConfigScalar) : null
  return { kind: 'scalar', value, ...(isMergeKey(node) && { isMerge: true }), ...anchor }
}

function aliasOf(alias: Alias): YamlNode {
  return { kind: 'alias', name: alias.source, offset: offsetOf(alias) }
}

/** An empty value has no node to point at. */
function offsetOf(node: Node | null): number {
  return node?.range?.[0] ?? 0
}

function isMergeKey(node: Node | null): node is Scalar {
  return isScalar(node) && node.type === 'PLAIN' && node.source === '<<'
}
