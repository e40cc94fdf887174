import type { CompositeStatus } from '../../engine/tables.js'

export interface StatusLabel {
  text: string
  label: string
}

/** Where a status reads differently from its name. */
const LABELS: Partial<Record<CompositeStatus, StatusLabel>> = {
  success: { text: 'Passed', label: 'passed' },
  manual: { text: 'Manual', label: 'waiting for manual action' },
  waiting_for_resource: { text: 'Waiting', label: 'waiting for resource' },
  scheduled: { text: 'Scheduled', label: 'waiting for delayed job' },
}

/** What people read in the place of a status. */
export function statusLabel(status: CompositeStatus): StatusLabel {
  return LABELS[status] ?? { text: status.charAt(0).toUpperCase() + status.slice(1), label: status }
}
