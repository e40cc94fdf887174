import { NoResultError } from 'kysely'

import type { RetryOptions } from '../../lib/retry.js'
import { hasCode } from './error-code.js'

/** Error codes of SQLite and PostgreSQL for a foreign key violation. */
const BROKEN_REFERENCE = new Set(['SQLITE_CONSTRAINT_FOREIGNKEY', '23503'])

/** Error code of a transaction that PostgreSQL has aborted because of a deadlock. */
const DEADLOCK = new Set(['40P01'])

/** Whether the row that a write refers to was deleted between its check and the write. */
export function isBrokenReference(error: unknown): boolean {
  return hasCode(error, BROKEN_REFERENCE)
}

export function isDeadlock(error: unknown): boolean {
  return hasCode(error, DEADLOCK)
}

/** Delays in milliseconds, in which the other transaction of the deadlock continues. */
export const AFTER_DEADLOCK = {
  attempts: 5,
  delay: 20,
  maximumDelay: 500,
  isWorthRetrying: isDeadlock,
} satisfies RetryOptions

/** Whether a row that was found before no longer exists. */
export function isGone(error: unknown): boolean {
  return error instanceof NoResultError
}
