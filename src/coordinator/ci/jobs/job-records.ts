import type { JobRecords } from '../../http/presenters/job-records.js'
import { describeJobs, type DescribeJobsDeps } from './describe-jobs.js'
import { Job } from './schema.js'

/** Job records for operations of other resources. */
export function jobRecords(deps: DescribeJobsDeps): JobRecords {
  return {
    schema: Job,
    describe: (jobs) => describeJobs(deps, jobs),
    describeById: async (jobs) => {
      const records = await describeJobs(deps, jobs)
      return new Map(records.map((record) => [record.id, record]))
    },
  }
}
