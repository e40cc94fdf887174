import { CACHE_KEYS } from './cache-keys.js'
import { DOCKER_KEYS } from './docker-keys.js'
import type { KnownKey } from './known-key.js'
import { ENTRY_KEYS } from './registration-keys.js'

/**
 * Every key of a `[[runners]]` table but its tokens, in the order in which registration writes them. Flags are made of
 * this list; a test holds it against what reading the file knows.
 */
export const RUNNER_KEYS: readonly KnownKey[] = [...ENTRY_KEYS, ...CACHE_KEYS, ...DOCKER_KEYS]
