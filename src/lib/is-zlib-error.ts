/** Whether unpacking the data failed, as opposed to reading or writing it. */
export function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^Z_/.test(String(error.code))
}
