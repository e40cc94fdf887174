import type { CompositeStatus } from '../../database/tables/pipelines.js'
import { statusLabel } from '../../http/presenters/status-label.js'
import type { DetailedStatus } from './schema.js'

/** The values from which a detailed status is built. */
export interface ShownStatus {
  status: CompositeStatus
  /** Whether a job has failed that may. */
  hasWarnings: boolean
  /** Path of the page of the pipeline. */
  path: string
}

/** The status of a pipeline as pages and command line clients show it. */
export function detailedStatus({ status, hasWarnings, path }: ShownStatus): DetailedStatus {
  const { text, label } = statusLabel(status, hasWarnings)
  const isWarning = status === 'success' && hasWarnings
  const picture = status === 'waiting_for_resource' ? 'pending' : status
  return {
    icon: isWarning ? 'status_warning' : `status_${picture}`,
    text,
    label,
    group: isWarning ? 'success-with-warnings' : status.replaceAll('_', '-'),
    tooltip: label,
    has_details: true,
    details_path: path,
    illustration: null,
    favicon: `/assets/ci_favicons/favicon_status_${picture}.png`,
  }
}
