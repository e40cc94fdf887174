import { isoTime, isoTimeOrNull } from '../../http/presenters/present-time.js'
import type { TestCaseRow, TestFailureRow } from '../storage/artifacts/test-history.js'
import type { FailedCase, TestFailure, TestRun } from './schema.js'
import type { FailureCounts, RunRow } from './store.js'

export function presentFailedCase(
  { id, digest, suite, name, classname, file, failed_at, flaky_at }: TestCaseRow,
  { failures, flaky }: FailureCounts,
  last: TestFailureRow | undefined,
): FailedCase {
  return {
    id,
    digest,
    suite,
    name,
    classname,
    file,
    failures,
    flaky_failures: flaky,
    failed_at: isoTime(failed_at),
    flaky_at: isoTimeOrNull(flaky_at),
    last_failure: last ? presentFailure(last) : null,
  }
}

export function presentFailure({
  job_id,
  pipeline_id,
  ref,
  tag,
  sha,
  flaky,
  created_at,
}: TestFailureRow): TestFailure {
  return { job_id, pipeline_id, ref, tag, sha, flaky, created_at: isoTime(created_at) }
}

/** `failure` is the last one of the test in the pipeline. */
export function presentRun(
  { pipeline_id, job_id, sha, created_at }: RunRow,
  failure: TestFailureRow | undefined,
): TestRun {
  return {
    pipeline_id,
    job_id: failure?.job_id ?? job_id,
    sha,
    created_at: isoTime(created_at),
    status: failure ? (failure.flaky ? 'flaky' : 'failed') : 'passed',
  }
}
