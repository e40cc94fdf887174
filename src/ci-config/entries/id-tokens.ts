import type { JobOptions } from '../plan.js'
import { isMap, NOTHING } from '../yaml/config-value.js'
import { readMapEntry, requireKeys } from './map-entry.js'
import type { Reader } from './reader.js'
import { readStringOrStrings } from './simple-values.js'

type IdTokens = NonNullable<JobOptions['idTokens']>

/** Variables with signed tokens, each with its audience (CI language, 3.17). */
export const readIdTokens: Reader<IdTokens> = (value, place) => {
  if (!isMap(value)) return place.refuse('should be a hash')
  const tokens = [...value].map(([name, token]): [string, { aud: string[] } | null] => [
    name,
    readIdToken(token ?? NOTHING, place.child(name)),
  ])
  return Object.fromEntries(tokens.flatMap(([name, token]) => (token ? [[name, token]] : [])))
}

const readIdToken: Reader<{ aud: string[] }> = (value, place) => {
  if (!isMap(value)) return place.refuse('missing required keys: aud')
  const read = readMapEntry(idTokenShape, value, place, (map) => requireKeys(map, ['aud'], place))
  if (!read) return null
  if (value.get('aud') === null)
    return place.attribute('aud').refuse('should be an array of strings or a string')
  return read.aud?.length ? { aud: read.aud } : place.attribute('aud').refuse("can't be blank")
}

export const idTokenShape = { attributes: { aud: readStringOrStrings }, children: {} }
