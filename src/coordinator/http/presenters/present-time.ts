/**
 * Formats milliseconds since 1970 as `2013-10-02T09:24:18.000Z`, the only form that typed clients accept
 * (API, A10).
 */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

export function isoTimeOrNull(milliseconds: number | null | undefined): string | null {
  return milliseconds === null || milliseconds === undefined ? null : isoTime(milliseconds)
}

/** The day alone, `2013-10-02`, as expiry dates are shown. */
export function isoDateOrNull(milliseconds: number | null | undefined): string | null {
  return isoTimeOrNull(milliseconds)?.slice(0, 10) ?? null
}
