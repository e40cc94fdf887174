import type { RegistrationView } from '../registrations/registration-view.js'

/** Longer than the client waits for any response. A request that is open for that long is stuck. */
const STUCK_SECONDS = 15 * 60

/**
 * Milliseconds between two keep-alive messages that the service manager expects. Undefined means that it expects
 * none.
 */
export function watchdogInterval(environment: NodeJS.ProcessEnv, pid: number): number | undefined {
  const microseconds = Number(environment['WATCHDOG_USEC'])
  const isMeant = !environment['WATCHDOG_PID'] || Number(environment['WATCHDOG_PID']) === pid
  if (!isMeant || !Number.isFinite(microseconds) || microseconds <= 0) return undefined
  // Half of the interval, as the documentation of the manager advises.
  return microseconds / 1000 / 2
}

/** Whether every registration polls, or has a reason not to. */
export function isPollingAlive(entries: readonly RegistrationView[]): boolean {
  return entries.every(({ longestRequestSeconds }) => longestRequestSeconds < STUCK_SECONDS)
}
