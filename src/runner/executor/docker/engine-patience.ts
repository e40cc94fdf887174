import type { ExecutorJob } from '../executor.js'
import type { DockerExecutorSettings } from './settings.js'

/** Longer than an engine takes to restart. */
const DEFAULT_SECONDS = 120

/**
 * Seconds that a running job waits for an engine that does not respond: as long as the coordinator waits for a silent
 * runner, so that it makes no difference which of the two connections is interrupted (runner protocol, 12.9).
 */
export function engineAwaySeconds(
  { engineAwaySeconds: configured }: Pick<DockerExecutorSettings, 'engineAwaySeconds'>,
  { leaseSeconds }: Pick<ExecutorJob, 'leaseSeconds'>,
): number {
  return configured ?? leaseSeconds ?? DEFAULT_SECONDS
}
