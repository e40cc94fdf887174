import { caseDigest } from '../storage/artifacts/test-history.js'
import { suiteOfJob } from '../storage/artifacts/test-reports.js'
import type { FoundCase } from './find-test-cases.js'
import { presentCase, type PresentCaseOptions } from './present-test-report.js'
import type { ListedTestCase } from './test-case-schema.js'

/** `flaky` has the digests of flaky failures by job. */
export function presentListedCase(
  { report, testCase }: FoundCase,
  options: PresentCaseOptions,
  flaky: ReadonlyMap<number, ReadonlySet<string>>,
): ListedTestCase {
  const suite = suiteOfJob(report.job_name)
  const digest = caseDigest(suite, testCase)
  return {
    ...presentCase(testCase, report, options),
    digest,
    suite,
    job_id: report.job_id,
    flaky: flaky.get(report.job_id)?.has(digest) ?? false,
  }
}
