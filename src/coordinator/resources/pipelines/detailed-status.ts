import type { CompositeStatus } from '../../engine/tables.js'
import { statusLabel } from '../../http/presenters/status-label.js'
import type { DetailedStatus } from './schema.js'

/** What pages and command line clients show of a status; `path` is that of the thing's page. */
export function detailedStatus(status: CompositeStatus, path: string): DetailedStatus {
  const { text, label } = statusLabel(status)
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
