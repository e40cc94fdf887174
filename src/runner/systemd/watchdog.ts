import type { RegistrationView } from '../registrations/registration-view.js'

/** Longer than the client waits for any response. A request that is open for that long is stuck. */
const STUCK_SECONDS = 15 * 60

/** Whether every registration polls, or has a reason not to. */
export function isPollingAlive(entries: readonly RegistrationView[]): boolean {
  return entries.every(({ longestRequestSeconds }) => longestRequestSeconds < STUCK_SECONDS)
}
