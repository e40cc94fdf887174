import { NoResultError } from 'kysely'

import { SwitchyardError } from '../../lib/errors.js'
import type { RetryOptions } from '../../lib/retry.js'
import { hasCode } from './error-code.js'

/** Error codes of SQLite and PostgreSQL for a foreign key violation. */
const BROKEN_REFERENCE = new Set(['SQLITE_CONSTRAINT_FOREIGNKEY', '23503'])

/** Error code of a transaction that PostgreSQL has aborted because of a deadlock. */
const DEADLOCK = new Set(['40P01'])

/** Error code of PostgreSQL for a statement that was prepared before a table got another column. */
const CHANGED_RESULT = new Set(['0A000'])

/** Whether the row that a write refers to was deleted between its check and the write. */
export function isBrokenReference(error: unknown): boolean {
  return hasCode(error, BROKEN_REFERENCE)
}

export function isDeadlock(error: unknown): boolean {
  return hasCode(error, DEADLOCK)
}

/** Whether a statement was prepared for tables that have changed since. The transaction is aborted. */
export function isStalePlan(error: unknown): boolean {
  return hasCode(error, CHANGED_RESULT)
}

/** Delays in milliseconds, in which the other transaction of the deadlock continues. */
export const AFTER_LOST_RACE = {
  attempts: 5,
  delay: 20,
  maximumDelay: 500,
  isWorthRetrying: (error) => isDeadlock(error) || isStalePlan(error),
} satisfies RetryOptions

/** A row that was found before no longer exists. */
class MissingRowError extends SwitchyardError {
  readonly name = 'MissingRowError'
  readonly code = 'MISSING_ROW'
}

/** The row that was read by its ID. Throws `MissingRowError`; `what` is the name of the record. */
export function requireRow<Row>(row: Row | undefined, what: string, id: number): Row {
  if (row === undefined) throw new MissingRowError(`There is no ${what} with the ID ${id}`)
  return row
}

/** Whether a row that was found before no longer exists. */
export function isGone(error: unknown): boolean {
  return error instanceof NoResultError || error instanceof MissingRowError
}
