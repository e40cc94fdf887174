import type { ConfigScalar } from './config-value.js'

/** A document as it is written, before anchors and merge keys mean anything. `offset` counts characters from its start. */
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
  /** Where the items stand. */
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
