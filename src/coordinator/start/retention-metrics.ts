import { Counter, type Registry } from 'prom-client'

import type { OnRetired } from '../ci/pipelines/retention/delete-old-pipelines.js'

/** Counts what this coordinator has deleted because of its age or number. */
export function retentionMetrics(registry: Registry): OnRetired {
  const removed = new Counter({
    name: 'switchyard_retention_removed_total',
    help: 'What was deleted by the limits of retention, by kind',
    labelNames: ['kind'],
    registers: [registry],
  })
  const bytes = new Counter({
    name: 'switchyard_retention_removed_bytes_total',
    help: 'Bytes of the files that were deleted by the limits of retention, by kind',
    labelNames: ['kind'],
    registers: [registry],
  })
  return (kind, number, size = 0) => {
    removed.inc({ kind }, number)
    bytes.inc({ kind }, size)
  }
}
