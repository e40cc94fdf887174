import type { JobStatus } from '../../database/tables/job-columns.js'

/** Every status of a job, and of a set of jobs (CI language, 10.1 and 11.1). */
export const JOB_STATUSES = [
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
] as const satisfies readonly JobStatus[]
