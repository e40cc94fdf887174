import type { CompositeStatus } from '../../../database/tables/pipelines.js'

/** Once a pipeline is in one of these, jobs that only wait do not make it pending again. */
const HAS_RUN: readonly CompositeStatus[] = ['running', 'success', 'failed', 'canceling', 'canceled']

/**
 * The status of a pipeline once its jobs come to `composite` (CI language, 11.2): what has run is running until it ends. Jobs
 * that were created and have not been processed change nothing.
 */
export function appliedToPipeline(current: CompositeStatus, composite: CompositeStatus): CompositeStatus {
  if (composite === 'created') return current
  return composite === 'pending' && HAS_RUN.includes(current) ? 'running' : composite
}

/** The status of a stage once its jobs come to `composite`: it stays what it was while none of them moves. */
export function appliedToStage(current: CompositeStatus, composite: CompositeStatus): CompositeStatus {
  return composite === 'created' ? current : composite
}
