import { hasCode } from './error-code.js'

/** Error codes of SQLite and PostgreSQL for a unique violation. */
const CODES = new Set(['SQLITE_CONSTRAINT_UNIQUE', '23505'])

export function isUniqueViolation(error: unknown): boolean {
  return hasCode(error, CODES)
}
