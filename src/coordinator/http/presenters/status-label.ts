import type { CompositeStatus } from '../../database/tables/pipelines.js'

export interface StatusLabel {
  text: string
  label: string
}

/** Statuses of pipelines whose label differs from their name. */
const LABELS: Partial<Record<CompositeStatus, StatusLabel>> = {
  success: { text: 'Passed', label: 'passed' },
  manual: { text: 'Blocked', label: 'waiting for manual action' },
  waiting_for_resource: { text: 'Waiting', label: 'waiting for resource' },
  scheduled: { text: 'Delayed', label: 'waiting for delayed job' },
}

/** It is `success` plus a job that failed and was allowed to (CI language, 11.1). */
const WITH_WARNINGS: StatusLabel = { text: 'Warning', label: 'passed with warnings' }

/** The display text of a pipeline status; `hasWarnings`: whether a job with allowed failure has failed. */
export function statusLabel(status: CompositeStatus, hasWarnings: boolean): StatusLabel {
  if (status === 'success' && hasWarnings) return WITH_WARNINGS
  return LABELS[status] ?? { text: status.charAt(0).toUpperCase() + status.slice(1), label: status }
}
