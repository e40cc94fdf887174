import type { ConfigScalar } from './config-value.js'

/**
 * A parsed document before anchors and merge keys are resolved. `offset` counts characters from its start.
 */
export type YamlNode = YamlScalar | YamlList | YamlMap | YamlAlias

interface Anchored {
  anchor?: string
}

export interface YamlScalar extends Anchored {
  kind: 'scalar'
  value: ConfigScalar
  /** `<<` without quotes. */
  isMerge?: true
}

export interface YamlList extends Anchored {
  kind: 'list'
  items: YamlNode[]
  /** The offsets of the items. */
  offsets: number[]
  /** Has the tag `!reference`. */
  isReference?: true
}

export interface YamlMap extends Anchored {
  kind: 'map'
  entries: { key: YamlNode; value: YamlNode; offset: number }[]
}

export interface YamlAlias {
  kind: 'alias'
  name: string
  offset: number
}
