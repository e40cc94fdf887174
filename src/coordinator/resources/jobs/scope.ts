import type { JobStatus } from '../../engine/tables.js'
import { invalidParameters } from '../../http/errors.js'

const STATUSES = new Set<string>([
  'created',
  'waiting_for_resource',
  'preparing',
  'waiting_for_callback',
  'pending',
  'running',
  'success',
  'failed',
  'canceling',
  'canceled',
  'skipped',
  'manual',
  'scheduled',
] satisfies JobStatus[])

/** The statuses that a list is narrowed to; all when nothing was asked. Throws 400 for a name that is no status. */
export function statusesOf(scope: string[] | undefined): JobStatus[] | undefined {
  if (!scope || scope.length === 0) return undefined
  if (!scope.every(isStatus)) throw invalidParameters('scope does not have a valid value')
  return scope
}

function isStatus(name: string): name is JobStatus {
  return STATUSES.has(name)
}
