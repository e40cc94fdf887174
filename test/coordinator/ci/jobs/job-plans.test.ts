import { expect, test } from 'vitest'

import { findPipelinesWithDueJobs } from '../../../../src/coordinator/ci/engine/advance/schedule-store.js'
import { findLatestJobs } from '../../../../src/coordinator/ci/engine/job-store.js'
import { searchLostDependencies } from '../../../../src/coordinator/ci/engine/jobs/job-dependencies.js'
import { listJobs } from '../../../../src/coordinator/ci/jobs/store.js'
import { busyMachines } from '../../../../src/coordinator/ci/runners/store.js'
import type { Database } from '../../../../src/coordinator/database/connect.js'
import type { JobRow } from '../../../../src/coordinator/database/tables/pipeline-rows.js'
import { FIRST_PAGE } from '../../../../src/coordinator/http/paging/paging.js'
import { openSqlite } from '../../../support/databases.js'
import { statementsOf, stepsOf } from '../../../support/sqlite-plans.js'

const OF_THIRD_STAGE = {
  id: 9,
  pipeline_id: 1,
  stage_index: 2,
  scheduling_type: 'stage',
  options: {},
} as JobRow

test.each<[string, (rows: Database) => Promise<unknown>, string]>([
  ['delayed jobs that are due', (rows) => findPipelinesWithDueJobs(rows, 1), 'job_by_scheduled_at'],
  [
    'lost dependencies, without reading jobs that have no outputs',
    async (rows) => {
      await rows.executeQuery((await searchLostDependencies(rows, [OF_THIRD_STAGE])).query)
    },
    'job_with_outputs',
  ],
  ['the latest jobs of a pipeline', (rows) => findLatestJobs(rows, 1, ['failed']), 'job_state_in_pipeline'],
  ['the machines of a runner that have jobs', (rows) => busyMachines(rows, 1), 'INTEGER PRIMARY KEY'],
  ['the jobs of a runner', (rows) => listJobs(rows, { runnerId: 1 }, FIRST_PAGE), 'job_list_of_runner'],
  [
    'jobs in a status',
    (rows) => listJobs(rows, { statuses: ['running'] }, FIRST_PAGE),
    'job_list_by_status (status=?)',
  ],
  [
    'jobs of a project in two statuses',
    (rows) => listJobs(rows, { projectId: 1, statuses: ['manual', 'failed'] }, FIRST_PAGE),
    'job_list_by_status (status=? AND project_id=?)',
  ],
  [
    'successful jobs of a project',
    (rows) => listJobs(rows, { projectId: 1, statuses: ['success'] }, FIRST_PAGE),
    'job_list_of_project',
  ],
])('SQLite finds %s by an index', async (_, read, index) => {
  const { database } = await openSqlite()
  const [first = ''] = await statementsOf(read)
  const steps = await stepsOf(database, first)
  expect(steps.filter((step) => /\bjob\b/.test(step) && step.includes(index))).not.toEqual([])
  expect(steps.filter((step) => step.startsWith('SCAN job'))).toEqual([])
})
