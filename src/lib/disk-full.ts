/** Codes of Node.js, SQLite and PostgreSQL. */
const CODES = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', '53100'])
/** What programs print, such as git. */
const PRINTED = /No space left on device|Disk quota exceeded/i

/** Whether an error, or what caused it, is that a disk or the quota of the user on it is full. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const isFull = 'code' in error && CODES.has(String(error.code))
  const hasPrinted = 'stderr' in error && typeof error.stderr === 'string' && PRINTED.test(error.stderr)
  return isFull || hasPrinted || isDiskFull(error.cause)
}
