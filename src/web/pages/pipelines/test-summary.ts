import { projectApi } from '../../../addresses/first-reads.js'
import type { TestReportSummary } from '../../../coordinator/ci/pipelines/test-report-schema.js'

/** The tests of a pipeline in the API, by page. */
export function testCasesPath(project: string, id: number): string {
  return `${projectApi(project)}/pipelines/${id}/test_cases`
}

/** The summary of the tests of a pipeline in the API. */
export function testSummaryPath(project: string, id: number): string {
  return `${projectApi(project)}/pipelines/${id}/test_report_summary`
}

/** What the tab of the tests counts: those that failed, or all. Undefined without any. */
export function testCount({ total }: TestReportSummary): string | undefined {
  const failed = total.failed + total.error
  if (failed > 0) return `${failed.toLocaleString('en')} failed`
  return total.count === 0 ? undefined : total.count.toLocaleString('en')
}
