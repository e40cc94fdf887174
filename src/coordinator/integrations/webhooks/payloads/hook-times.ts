/** `2013-12-03 17:15:43 UTC`. */
export function hookTime(milliseconds: number): string {
  return new Date(milliseconds)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC')
}

export function hookTimeOrNull(milliseconds: number | null): string | null {
  return milliseconds === null ? null : hookTime(milliseconds)
}

/** Seconds between two times in milliseconds; null without a start time. */
export function secondsFrom(start: number | null, end: number): number | null {
  return start === null ? null : Math.max(0, end - start) / 1000
}
