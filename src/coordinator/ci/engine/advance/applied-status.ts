import type { CompositeStatus } from '../../../database/tables/pipelines.js'

/** A pipeline in one of these statuses does not become pending again because of waiting jobs. */
const HAS_RUN: readonly CompositeStatus[] = ['running', 'success', 'failed', 'canceling', 'canceled']

/**
 * The new status of a pipeline for the composite status of its jobs (CI language, 11.2). A pipeline that has
 * run stays running until it ends. Jobs that are created and not yet processed do not change the status.
 */
export function appliedToPipeline(current: CompositeStatus, composite: CompositeStatus): CompositeStatus {
  if (composite === 'created') return current
  return composite === 'pending' && HAS_RUN.includes(current) ? 'running' : composite
}

/**
 * The new status of a stage for the composite status of its jobs. It stays unchanged until one of them
 * changes.
 */
export function appliedToStage(current: CompositeStatus, composite: CompositeStatus): CompositeStatus {
  return composite === 'created' ? current : composite
}
