import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { Nullable, NullableText, OneOf } from '../../http/parameters/types.js'

const Counts = {
  total_time: described(Type.Number(), 'Total time of the tests, in seconds.'),
  total_count: described(Type.Integer(), 'Number of tests.'),
  success_count: described(Type.Integer(), 'Number of passed tests.'),
  failed_count: described(Type.Integer(), 'Number of failed tests.'),
  skipped_count: described(Type.Integer(), 'Number of skipped tests.'),
  error_count: described(Type.Integer(), 'Number of tests with errors.'),
}

export const TestCaseRecord = Type.Object({
  status: described(OneOf('success', 'failed', 'skipped', 'error'), 'Status of the test.'),
  name: described(Type.String(), 'Name of the test.'),
  classname: described(Type.String(), 'Class or file of the test, as named by the report.'),
  file: described(NullableText, 'File of the test; null if the report does not name it.'),
  execution_time: described(Type.Number(), 'Duration, in seconds.'),
  system_output: described(NullableText, 'Output of the test, at most 64 KiB; null if there is none.'),
  stack_trace: described(Type.Null(), 'Always null: it is part of the output.'),
  attachment_url: described(NullableText, 'URL of a screenshot of the failure; null if there is none.'),
  recent_failures: described(
    Nullable(
      Type.Object({
        count: described(Type.Integer(), 'Number of failures in the last 14 days.'),
        base_branch: described(Type.String(), 'Branch of the failures: the default branch.'),
      }),
    ),
    'Failures of the same test on the default branch; null for a test that did not fail now or lately.',
  ),
})
export type TestCaseRecord = Static<typeof TestCaseRecord>

export const TestSuiteRecord = Type.Object({
  name: described(Type.String(), 'Name of the job.'),
  ...Counts,
  suite_error: described(NullableText, 'Error while reading the report; null if there is none.'),
  test_cases: described(Type.Array(TestCaseRecord), 'Tests of the suite.'),
})
export type TestSuiteRecord = Static<typeof TestSuiteRecord>

/** API, I3. */
export const TestReportRecord = Type.Object({
  ...Counts,
  test_suites: described(Type.Array(TestSuiteRecord), 'Test suites, one for each job with a report.'),
})
export type TestReportRecord = Static<typeof TestReportRecord>

export const TestReportSummary = Type.Object({
  total: described(
    Type.Object({
      time: described(Type.Number(), 'Total time of the tests, in seconds.'),
      count: described(Type.Integer(), 'Number of tests.'),
      success: described(Type.Integer(), 'Number of passed tests.'),
      failed: described(Type.Integer(), 'Number of failed tests.'),
      skipped: described(Type.Integer(), 'Number of skipped tests.'),
      error: described(Type.Integer(), 'Number of tests with errors.'),
      suite_error: described(NullableText, 'Error while reading the report; null if there is none.'),
    }),
    'Totals of all jobs.',
  ),
  test_suites: described(
    Type.Array(
      Type.Object({
        name: described(Type.String(), 'Name of the job.'),
        ...Counts,
        suite_error: described(NullableText, 'Error while reading the report; null if there is none.'),
        build_ids: described(Type.Array(Type.Integer()), 'IDs of the jobs.'),
      }),
    ),
    'Test suites, one for each job with a report.',
  ),
})
export type TestReportSummary = Static<typeof TestReportSummary>
