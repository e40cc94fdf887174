import { hasCode } from './error-code.js'

/** Error codes of SQLite and PostgreSQL for a unique violation. */
const CODES = new Set(['SQLITE_CONSTRAINT_UNIQUE', '23505'])

export function isUniqueViolation(error: unknown): boolean {
  return hasCode(error, CODES)
}

/** Runs `work` again if a concurrent request has inserted the same row: the second run finds that row. */
export async function againIfTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    return work()
  }
}
