import type { Problem } from '../errors.js'
import { type ConfigMap, isMap } from '../yaml/config-value.js'
import { readArtifacts } from './artifacts.js'
import { readCaches } from './cache.js'
import { readHooks } from './hooks.js'
import { readIdTokens } from './id-tokens.js'
import { readIdentity } from './identity.js'
import { readImage } from './image.js'
import { Location } from './location.js'
import { readMapEntry } from './map-entry.js'
import { type Reading, readKeywords } from './reader.js'
import { readRetry } from './retry.js'
import { readScript } from './scripts.js'
import { readServices } from './services.js'
import { readBoolean } from './simple-values.js'
import { readTags } from './tags.js'
import { readTimeout } from './timeout.js'

/** Keywords that may also be at the top level, an older form of `default:<keyword>`. */
export const topDefaultReaders = {
  before_script: readScript,
  image: readImage,
  services: readServices,
  after_script: readScript,
  cache: readCaches,
}

export const defaultShape = {
  attributes: {},
  children: {
    ...topDefaultReaders,
    hooks: readHooks,
    tags: readTags,
    artifacts: readArtifacts,
    timeout: readTimeout,
    id_tokens: readIdTokens,
    identity: readIdentity,
    interruptible: readBoolean,
    retry: readRetry,
  },
}

/** Values for keywords that a job does not set; `timeout` alone has no effect (CI language, 2.2). */
export type Defaults = Reading<(typeof defaultShape)['children']>

/** Top-level keys that are read here and can never be jobs. */
export const DEFAULT_KEYWORDS = ['default', ...Object.keys(topDefaultReaders)] as const

export function readDefaults(root: ConfigMap, problems: Problem[]): Defaults {
  const inDefault = readDefault(root, problems)
  const atTop = readKeywords(topDefaultReaders, root, (key) => Location.top(key, problems))
  for (const key of Object.keys(atTop)) {
    if (!(key in inDefault)) continue
    problems.push({ message: `${key} is defined in top-level and \`default:\` entry`, path: [key] })
  }
  return { ...inDefault, ...atTop }
}

function readDefault(root: ConfigMap, problems: Problem[]): Defaults {
  const value = root.get('default') ?? null
  if (value === null) return {}
  const location = Location.top('default', problems)
  const read = isMap(value)
    ? readMapEntry(defaultShape, value, location)
    : location.refuse('should be a hash')
  return read ?? {}
}
