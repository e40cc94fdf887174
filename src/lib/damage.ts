import { LRUCache } from 'lru-cache'

import { SwitchyardError } from './errors.js'
import type { Logger } from './logger.js'
import { DAY } from './time-units.js'

/** Stored data is missing or has changed. The damage lasts until somebody restores or deletes the data. */
export abstract class DamageError extends SwitchyardError {
  /** What is damaged, without the path of its file; clients read it. */
  abstract readonly shown: string
  /** Names the damaged thing: the same in all errors about it. */
  abstract readonly thing: string
}

/** Things that are remembered, and milliseconds until one is logged again. */
const MOST = 10_000
const AGAIN_AFTER = DAY

const warned = new WeakMap<object, LRUCache<string, true>>()

/**
 * Logs that a thing is damaged: once a day, because all who read it meet the damage.
 * @param thing names the thing, such as `DamageError.thing`
 */
export function warnOfDamage(
  logger: Pick<Logger, 'warn'>,
  thing: string,
  fields: object,
  message: string,
): void {
  const known = warned.get(logger) ?? new LRUCache<string, true>({ max: MOST, ttl: AGAIN_AFTER })
  warned.set(logger, known)
  if (known.has(thing)) return
  known.set(thing, true)
  logger.warn(fields, message)
}
