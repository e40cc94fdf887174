import { isExpiry, parseDuration } from '../../../../ci-config/duration.js'

/**
 * The stop time of an environment that is used at `now`, in milliseconds since 1970; null = never, undefined
 * = the setting does not define one (CI language, 15.4).
 */
export function autoStopTime(written: string | undefined, now: number): number | null | undefined {
  if (written === undefined || !isExpiry(written)) return undefined
  const seconds = parseDuration(written)
  return seconds === undefined ? null : now + seconds * 1000
}
