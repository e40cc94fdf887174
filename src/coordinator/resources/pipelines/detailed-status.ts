import type { CompositeStatus } from '../../engine/tables.js'
import type { DetailedStatus } from './schema.js'

/** Where a status reads differently from its name. */
const LABELS: Partial<Record<CompositeStatus, { text: string; label: string }>> = {
  success: { text: 'Passed', label: 'passed' },
  manual: { text: 'Manual', label: 'waiting for manual action' },
  waiting_for_resource: { text: 'Waiting', label: 'waiting for resource' },
  scheduled: { text: 'Scheduled', label: 'waiting for delayed job' },
}

/** What pages and command line clients show of a status; `path` is that of the thing's page. */
export function detailedStatus(status: CompositeStatus, path: string): DetailedStatus {
  const { text, label } = LABELS[status] ?? {
    text: status.charAt(0).toUpperCase() + status.slice(1),
    label: status,
  }
  return {
    icon: `status_${status}`,
    text,
    label,
    group: status.replaceAll('_', '-'),
    tooltip: label,
    has_details: true,
    details_path: path,
    illustration: null,
    favicon: `/assets/ci_favicons/favicon_status_${status}.png`,
  }
}
