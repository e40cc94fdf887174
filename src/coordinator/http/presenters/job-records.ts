import type { Selectable } from 'kysely'
import type { TSchema } from 'typebox'

import type { JobTable } from '../../database/tables/pipelines.js'

/** Public records of jobs, for the resources that embed them. */
export interface JobRecords {
  schema: TSchema
  /** In the order of the jobs; jobs that were deleted in the meantime are left out. */
  describe(jobs: Selectable<JobTable>[]): Promise<unknown[]>
  /** Like `describe`, by job id. */
  describeById(jobs: Selectable<JobTable>[]): Promise<Map<number, unknown>>
}
