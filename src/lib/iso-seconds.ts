/** Formats milliseconds since 1970 as `2013-10-02T09:24:18Z`. */
export function isoSeconds(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+/, '')
}
