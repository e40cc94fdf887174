import { NoResultError } from 'kysely'

import { SwitchyardError } from '../../lib/errors.js'
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

/** A row that was found before no longer exists. */
export class MissingRowError extends SwitchyardError {
  readonly name = 'MissingRowError'
  readonly code = 'MISSING_ROW'
}

/** The one row of a prepared query by ID. Throws `MissingRowError`; `what` is the name of the record. */
export function theRow<Row>([row]: readonly Row[], what: string, id: number): Row {
  if (row === undefined) throw new MissingRowError(`There is no ${what} with the ID ${id}`)
  return row
}

/** Whether a row that was found before no longer exists. */
export function isGone(error: unknown): boolean {
  return error instanceof NoResultError || error instanceof MissingRowError
}
