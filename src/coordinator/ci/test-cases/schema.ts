import { type Static, Type } from 'typebox'

import { described, flag, optional, text } from '../../http/parameters/described.js'
import { DateTime, Nullable, OneOf } from '../../http/parameters/types.js'

export const ListFailedCases = Type.Object({
  flaky: optional(Type.Boolean(), 'true: only tests that were flaky; all that failed by default.'),
  suite: optional(Type.String(), 'Only tests of this suite.'),
  branch: optional(
    Type.String(),
    'Only tests that failed on this branch; failures on others are then not counted.',
  ),
  order_by: optional(
    OneOf('failed_at', 'failures'),
    '`failed_at`: the latest failure first; the default. `failures`: those that failed most often first.',
  ),
  search: optional(Type.String(), 'Only tests whose name, class or file contains this text, in any case.'),
})
export type ListFailedCases = Static<typeof ListFailedCases>

export const CaseDigest = Type.Object({
  digest: text('Identifies the test in the project.'),
  branch: optional(Type.String(), 'Branch of the runs; the default branch of the project if absent.'),
})

export const TestFailure = Type.Object({
  job_id: described(Type.Integer(), 'ID of the job.'),
  pipeline_id: described(Type.Integer(), 'ID of the pipeline.'),
  ref: text('Branch or tag of the pipeline.'),
  tag: flag('Whether it is a tag.'),
  sha: text('Commit of the pipeline.'),
  flaky: flag('Whether the test passed in another report of the same job name and commit.'),
  created_at: described(DateTime(), 'Time of the report.'),
})
export type TestFailure = Static<typeof TestFailure>

/** A test that failed in the last 90 days. */
export const FailedCase = Type.Object({
  id: described(Type.Integer(), 'ID of the record.'),
  digest: text('Identifies the test in the project.'),
  suite: text('Name of the job without the number of an instance.'),
  name: text('Name of the test.'),
  classname: text('Class or file of the test, as named by the report.'),
  file: described(Nullable(Type.String()), 'File of the test; null if the report does not name it.'),
  failures: described(Type.Integer(), 'Number of failures in the last 90 days.'),
  flaky_failures: described(
    Type.Integer(),
    'Number of those after which the test passed in another report of the same job name and commit, or before.',
  ),
  failed_at: described(DateTime(), 'Time of the last failure.'),
  flaky_at: described(Nullable(DateTime()), 'Time of the last flaky failure; null if there is none.'),
  last_failure: described(Nullable(TestFailure), 'The last failure; null if its job was deleted.'),
})
export type FailedCase = Static<typeof FailedCase>

const TestRun = Type.Object({
  pipeline_id: described(Type.Integer(), 'ID of the pipeline.'),
  job_id: described(
    Type.Integer(),
    'ID of the last job of the suite, or of the last one in which the test failed.',
  ),
  sha: text('Commit of the pipeline.'),
  created_at: described(DateTime(), 'Time of the last report.'),
  status: described(
    OneOf('passed', 'failed', 'flaky'),
    'passed: the test did not fail, or was not run; flaky: it failed and passed.',
  ),
})

/** The history of a test. */
export const CaseHistory = Type.Object({
  ...FailedCase.properties,
  branch: described(
    Nullable(Type.String()),
    'Branch of the runs; null if the project has no default branch.',
  ),
  runs: Type.Array(TestRun, {
    description: 'Pipelines of the branch with reports of the suite, the newest first; at most 50.',
  }),
  failed_runs: described(Type.Integer(), 'Number of the runs in which the test failed, flaky ones included.'),
  first_bad: described(
    Nullable(TestRun),
    'The oldest of the latest runs that all failed: where the test broke. Null if the latest run passed.',
  ),
  recent: Type.Array(TestFailure, {
    description: 'The latest failures on any branch or tag, the newest first; at most 50.',
  }),
})
export type CaseHistory = Static<typeof CaseHistory>
export type TestRun = Static<typeof TestRun>
