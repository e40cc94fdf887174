import { hasCode } from './error-code.js'

/**
 * Error codes of a PostgreSQL server that is unreachable, shutting down, starting, or out of connections. The name of a server
 * may be unknown for a moment, as in a cluster whose name server is replaced.
 */
const CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ENOTFOUND',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08006',
  '08001',
])

/** Error messages of the driver, which have no code, for a connection that ended while in use. */
const CUT =
  /^(Connection terminated|Client (has encountered a connection error|was closed) and is not queryable)/

/** Codes of SQLite while another process writes, or begins to use a database that was not closed. */
const BUSY = new Set(['SQLITE_BUSY', 'SQLITE_BUSY_RECOVERY', 'SQLITE_BUSY_SNAPSHOT', 'SQLITE_LOCKED'])

/** Whether another process has locked the database. */
export function isDatabaseBusy(error: unknown): boolean {
  return hasCode(error, BUSY)
}

/** Whether the database could not be reached or its response was lost, so that the query may be repeated. */
export function isStoreGone(error: unknown): boolean {
  return hasCode(error, CODES) || (error instanceof Error && CUT.test(error.message))
}
