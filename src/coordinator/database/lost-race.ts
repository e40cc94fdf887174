import { NoResultError } from 'kysely'

import { hasCode } from './error-code.js'

/** How SQLite and PostgreSQL say that a row refers to one that is not there, or is still referred to. */
const BROKEN_REFERENCE = new Set(['SQLITE_CONSTRAINT_FOREIGNKEY', '23503'])

/** PostgreSQL ended one of two transactions that waited for each other; nothing of it was done. */
const DEADLOCK = new Set(['40P01'])

/** Whether what a row belongs to was removed between the look at it and the write: it was checked before. */
export function isBrokenReference(error: unknown): boolean {
  return hasCode(error, BROKEN_REFERENCE)
}

export function isDeadlock(error: unknown): boolean {
  return hasCode(error, DEADLOCK)
}

/** A row that had been found before was not there any more. */
export function isGone(error: unknown): boolean {
  return error instanceof NoResultError
}
