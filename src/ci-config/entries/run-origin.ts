import type { ConfigData } from '../plan.js'
import { dataOf } from '../yaml/config-data.js'
import { isMap } from '../yaml/config-value.js'
import { mapOf, readMapEntry, requireKeys, requireOneOf } from './map-entry.js'
import type { Reader } from './reader.js'
import { readString } from './simple-values.js'

/** The source of a step's function: a URL, a Git repository, or a registry image. */
export const readOrigin: Reader<ConfigData> = (value, place) => {
  if (typeof value === 'string') return value
  if (!isMap(value)) return place.refuse('should be a hash or a string')
  const read = readMapEntry(originShape, value, place, (map) => requireOneOf(map, ORIGINS, place))
  return read && dataOf(value)
}

const ORIGINS = ['git', 'oci']

export const gitOriginShape = {
  attributes: { url: readString, rev: readString, dir: readString, file: readString },
  children: {},
}

export const ociOriginShape = {
  attributes: {
    registry: readString,
    repository: readString,
    tag: readString,
    dir: readString,
    file: readString,
  },
  children: {},
}

export const originShape = {
  attributes: {},
  children: {
    git: mapOf(gitOriginShape, (map, place) => requireKeys(map, ['url', 'rev'], place)),
    oci: mapOf(ociOriginShape, (map, place) => requireKeys(map, ['registry', 'repository', 'tag'], place)),
  },
}
