import type { JobOptions } from '../plan.js'
import { isMap, NOTHING } from '../yaml/config-value.js'
import { readMapEntry, requireKeys } from './map-entry.js'
import type { Reader } from './reader.js'
import { readStringOrStrings } from './simple-values.js'

type IdTokens = NonNullable<JobOptions['idTokens']>

/** Variables with signed tokens, each with its audience (CI language, 3.17). */
export const readIdTokens: Reader<IdTokens> = (value, location) => {
  if (!isMap(value)) return location.refuse('should be a hash')
  const tokens = [...value].map(([name, token]): [string, { aud: string[] } | null] => [
    name,
    readIdToken(token ?? NOTHING, location.child(name)),
  ])
  return Object.fromEntries(tokens.flatMap(([name, token]) => (token ? [[name, token]] : [])))
}

const readIdToken: Reader<{ aud: string[] }> = (value, location) => {
  if (!isMap(value)) return location.refuse('missing required keys: aud')
  const read = readMapEntry(idTokenShape, value, location, (map) => requireKeys(map, ['aud'], location))
  if (!read) return null
  if (value.get('aud') === null)
    return location.attribute('aud').refuse('should be an array of strings or a string')
  return read.aud?.length ? { aud: read.aud } : location.attribute('aud').refuse("can't be blank")
}

export const idTokenShape = { attributes: { aud: readStringOrStrings }, children: {} }
