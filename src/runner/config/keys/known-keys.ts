import { CACHE_KEYS } from './cache-keys.js'
import { DOCKER_KEYS } from './docker-keys.js'
import type { KnownKey } from './known-key.js'
import { KUBERNETES_KEYS } from './kubernetes-keys.js'
import { ENTRY_KEYS } from './registration-keys.js'

/**
 * Every key of a `[[runners]]` table except its tokens, in the order in which registration writes them. Flags are
 * derived from this list. A test compares it with the keys that are read from the file.
 */
export const RUNNER_KEYS: readonly KnownKey[] = [
  ...ENTRY_KEYS,
  ...CACHE_KEYS,
  ...DOCKER_KEYS,
  ...KUBERNETES_KEYS,
]
