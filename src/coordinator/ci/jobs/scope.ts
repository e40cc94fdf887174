import type { JobStatus } from '../../database/tables/job-columns.js'
import { invalidParameters } from '../../http/errors.js'
import { JOB_STATUSES } from '../engine/job-statuses.js'

/** The statuses that a list is restricted to; all if none was given. Throws 400 for an unknown status. */
export function statusesOf(scope: string[] | undefined): JobStatus[] | undefined {
  if (!scope || scope.length === 0) return undefined
  if (!scope.every(isStatus)) throw invalidParameters('scope does not have a valid value')
  return scope
}

function isStatus(name: string): name is JobStatus {
  return JOB_STATUSES.some((status) => status === name)
}
