import { type Static, Type } from 'typebox'

import { described, flag, optional, text } from '../../http/parameters/described.js'
import { OneOf } from '../../http/parameters/types.js'
import { PipelineId } from './schema.js'
import { TestCaseRecord } from './test-report-schema.js'

export const ListTestCases = Type.Object({
  ...PipelineId.properties,
  status: optional(
    OneOf('success', 'failed', 'skipped', 'error'),
    'Only tests with this status; all by default, those that failed first.',
  ),
  suite: optional(
    Type.String(),
    'Only tests of this suite: the name of a job without the number of an instance.',
  ),
  job: optional(Type.Integer(), 'Only tests of the job with this ID.'),
  search: optional(Type.String(), 'Only tests whose name, class or file contains this text, in any case.'),
  min_time: optional(Type.Number({ minimum: 0 }), 'Only tests that took at least this time, in seconds.'),
  order_by: optional(
    OneOf('status', 'time'),
    '`status`: those that failed first; the default. `time`: the slowest ones first, in a single page.',
  ),
  page_token: optional(Type.String(), 'Token of the page, from the link to it.'),
})
export type ListTestCases = Static<typeof ListTestCases>

/** A test of a pipeline in lists. */
export const ListedTestCase = Type.Object({
  ...TestCaseRecord.properties,
  digest: text('Identifies the test in the project, for its history.'),
  suite: text('Name of the job without the number of an instance.'),
  job_id: described(Type.Integer(), 'ID of the job that ran the test.'),
  flaky: flag('Whether the test failed here and passed in another report of the same job name and commit.'),
})
export type ListedTestCase = Static<typeof ListedTestCase>
