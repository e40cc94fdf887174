import type { RegistrationView } from '../registrations/registration-view.js'

/** Longer than the client waits for the answer of any request: what is open for that long is stuck. */
const STUCK_SECONDS = 15 * 60

/** Milliseconds between two signs of life that the service manager wants; undefined = it wants none. */
export function watchdogInterval(environment: NodeJS.ProcessEnv, pid: number): number | undefined {
  const microseconds = Number(environment['WATCHDOG_USEC'])
  const isMeant = !environment['WATCHDOG_PID'] || Number(environment['WATCHDOG_PID']) === pid
  if (!isMeant || !Number.isFinite(microseconds) || microseconds <= 0) return undefined
  // Half of the time, as the manager's documentation advises.
  return microseconds / 1000 / 2
}

/** Whether every entry does what it should: asks, or has a reason not to. */
export function isPollingAlive(entries: readonly RegistrationView[]): boolean {
  return entries.every(({ longestRequestSeconds }) => longestRequestSeconds < STUCK_SECONDS)
}
