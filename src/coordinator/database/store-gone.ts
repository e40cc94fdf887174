import { hasCode } from './error-code.js'

/** Of a PostgreSQL that cannot be reached, shuts down, starts, or has no connection left. */
const CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08006',
  '08001',
])

/** What its driver says, without a code, of a connection that ended while it was in use. */
const CUT =
  /^(Connection terminated|Client (has encountered a connection error|was closed) and is not queryable)/

/** Whether the database could not be asked, or its answer did not arrive: the same question may be asked again. */
export function isStoreGone(error: unknown): boolean {
  return hasCode(error, CODES) || (error instanceof Error && CUT.test(error.message))
}
