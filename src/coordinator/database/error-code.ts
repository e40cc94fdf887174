/** Whether an error of the database or its driver has one of these codes. */
export function hasCode(error: unknown, codes: ReadonlySet<string>): boolean {
  return error instanceof Error && 'code' in error && codes.has(String(error.code))
}
