import { HOUR } from '../../../lib/time-units.js'

/** A runner that requested a job within this time counts as online (CI language, 14.4). Milliseconds. */
const ONLINE_FOR = 2 * HOUR

/** Online runners were last heard from after this time; milliseconds since 1970. */
export function onlineSince(now: number): number {
  return now - ONLINE_FOR
}
