import { type Static, Type } from 'typebox'

import { NullableText, OneOf } from '../../http/parameters/types.js'

const Counts = {
  total_time: Type.Number(),
  total_count: Type.Integer(),
  success_count: Type.Integer(),
  failed_count: Type.Integer(),
  skipped_count: Type.Integer(),
  error_count: Type.Integer(),
}

export const TestCaseRecord = Type.Object({
  status: OneOf('success', 'failed', 'skipped', 'error'),
  name: Type.String(),
  classname: Type.String(),
  file: NullableText,
  /** Seconds. */
  execution_time: Type.Number(),
  system_output: NullableText,
  stack_trace: Type.Null(),
  attachment_url: NullableText,
  recent_failures: Type.Null(),
})
export type TestCaseRecord = Static<typeof TestCaseRecord>

export const TestSuiteRecord = Type.Object({
  name: Type.String(),
  ...Counts,
  suite_error: NullableText,
  test_cases: Type.Array(TestCaseRecord),
})
export type TestSuiteRecord = Static<typeof TestSuiteRecord>

/** API gaps, I3. */
export const TestReportRecord = Type.Object({ ...Counts, test_suites: Type.Array(TestSuiteRecord) })
export type TestReportRecord = Static<typeof TestReportRecord>

export const TestReportSummary = Type.Object({
  total: Type.Object({
    time: Type.Number(),
    count: Type.Integer(),
    success: Type.Integer(),
    failed: Type.Integer(),
    skipped: Type.Integer(),
    error: Type.Integer(),
    suite_error: NullableText,
  }),
  test_suites: Type.Array(
    Type.Object({
      name: Type.String(),
      ...Counts,
      suite_error: NullableText,
      /** Ids of the jobs. */
      build_ids: Type.Array(Type.Integer()),
    }),
  ),
})
export type TestReportSummary = Static<typeof TestReportSummary>
