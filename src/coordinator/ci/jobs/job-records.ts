import type { JobRecords } from '../../http/presenters/job-records.js'
import { describeJobs, type DescribeJobsDeps } from './describe-jobs.js'
import { Job } from './schema.js'

/** Records of jobs as the operations of other resources show them. */
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
