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
