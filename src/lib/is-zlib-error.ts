/** Whether the data could not be unpacked, and not read or written. */
export function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^Z_/.test(String(error.code))
}
