import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { NullableText, OneOf } from '../../http/parameters/types.js'

const Counts = {
  total_time: described(Type.Number(), 'Seconds that all tests took.'),
  total_count: described(Type.Integer(), 'Tests.'),
  success_count: described(Type.Integer(), 'Tests that passed.'),
  failed_count: described(Type.Integer(), 'Tests that failed.'),
  skipped_count: described(Type.Integer(), 'Tests that were skipped.'),
  error_count: described(Type.Integer(), 'Tests that broke.'),
}

export const TestCaseRecord = Type.Object({
  status: described(OneOf('success', 'failed', 'skipped', 'error'), 'How the test ended.'),
  name: described(Type.String(), 'Name of the test.'),
  classname: described(Type.String(), 'Class or file that the report names.'),
  file: described(NullableText, 'File of the test; null = not told.'),
  execution_time: described(Type.Number(), 'Seconds.'),
  system_output: described(NullableText, 'What it printed, at most 64 KiB; null = nothing.'),
  stack_trace: described(Type.Null(), 'Always null: it is part of the output.'),
  attachment_url: described(NullableText, 'Address of a picture of the failure; null = none.'),
  recent_failures: described(Type.Null(), 'Always null: earlier runs are not compared.'),
})
export type TestCaseRecord = Static<typeof TestCaseRecord>

export const TestSuiteRecord = Type.Object({
  name: described(Type.String(), 'Name of the job.'),
  ...Counts,
  suite_error: described(NullableText, 'Why the report could not be read; null = it could.'),
  test_cases: described(Type.Array(TestCaseRecord), 'Its tests.'),
})
export type TestSuiteRecord = Static<typeof TestSuiteRecord>

/** API, I3. */
export const TestReportRecord = Type.Object({
  ...Counts,
  test_suites: described(Type.Array(TestSuiteRecord), 'One for each job with a report.'),
})
export type TestReportRecord = Static<typeof TestReportRecord>

export const TestReportSummary = Type.Object({
  total: described(
    Type.Object({
      time: described(Type.Number(), 'Seconds that all tests took.'),
      count: described(Type.Integer(), 'Tests.'),
      success: described(Type.Integer(), 'Tests that passed.'),
      failed: described(Type.Integer(), 'Tests that failed.'),
      skipped: described(Type.Integer(), 'Tests that were skipped.'),
      error: described(Type.Integer(), 'Tests that broke.'),
      suite_error: described(NullableText, 'Why the report could not be read; null = it could.'),
    }),
    'All jobs together.',
  ),
  test_suites: described(
    Type.Array(
      Type.Object({
        name: described(Type.String(), 'Name of the job.'),
        ...Counts,
        suite_error: described(NullableText, 'Why the report could not be read; null = it could.'),
        build_ids: described(Type.Array(Type.Integer()), 'Numbers of the jobs.'),
      }),
    ),
    'One for each job with a report.',
  ),
})
export type TestReportSummary = Static<typeof TestReportSummary>
