/** The reason why there was no response. undici wraps several connection attempts in an error without a message. */
export function connectionProblem(cause: unknown): string {
  if (cause instanceof AggregateError && cause.errors[0] instanceof Error) return cause.errors[0].message
  return cause instanceof Error ? cause.message || cause.name : String(cause)
}

/** Errors of the local disk. Another attempt would not help. */
const DISK_CODES = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EFBIG', 'ENOENT', 'EACCES'])

/** Whether a transfer between the network and a file failed because of the file. */
export function isDiskError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && DISK_CODES.has(String(error.code))
}

/** Whether the request that got this status may succeed a moment later. */
export function mayPass(status: number): boolean {
  return status === 408 || status === 429 || status >= 500
}
