import { hasCode } from './error-code.js'

/** SQLite and PostgreSQL say in different words that a row would have broken a unique index. */
const CODES = new Set(['SQLITE_CONSTRAINT_UNIQUE', '23505'])

export function isUniqueViolation(error: unknown): boolean {
  return hasCode(error, CODES)
}
