import { Type } from 'typebox'

import type { Project } from '../../access/caller.js'
import { clientGone } from '../../http/client-gone.js'
import { type Operation, operation } from '../../http/operation.js'
import { tokenPage } from '../../http/paging/token-paging.js'
import { flakyFailures, recentFailures } from '../storage/artifacts/test-history.js'
import type { PipelineTestReport } from '../storage/artifacts/test-reports.js'
import { findCases, findSlowest, type FoundCase, jobsWithFailures } from './find-test-cases.js'
import type { PipelineOperationsDeps } from './pipeline-operations-deps.js'
import { presentListedCase } from './present-test-case.js'
import type { TestReportSource } from './present-test-report.js'
import { ListedTestCase, ListTestCases } from './test-case-schema.js'

export interface TestCaseDeps extends Pick<PipelineOperationsDeps, 'engine' | 'artifacts' | 'externalUrl'> {
  /** Throws 404. */
  reportsOf: (project: Project, pipelineId: number) => Promise<PipelineTestReport[]>
  fileUrlIn: (project: Project) => TestReportSource['fileUrl']
}

/** Tests of a pipeline, by page (API, N12). */
export function testCaseListOperation(deps: TestCaseDeps): Operation {
  const { engine, artifacts, externalUrl } = deps
  return operation('GET /projects/:id/pipelines/:pipeline_id/test_cases', {
    summary: 'List the tests of a pipeline',
    access: 'read_pipelines',
    params: ListTestCases,
    responses: { 200: Type.Array(ListedTestCase) },
    paginated: true,
    run: async ({ project, params, paging, request, reply }) => {
      const reports = await deps.reportsOf(project, params.pipeline_id)
      const readable = reports.filter(({ suite_error }) => suite_error === null)
      const { testReports } = artifacts
      const gone = clientGone(reply)
      if (params.order_by === 'time') {
        const slowest = await findSlowest(testReports, readable, params, paging.perPage, gone)
        return tokenPage(await present(project, slowest), undefined, { request, externalUrl })
      }
      const { found, next } = await findCases(testReports, readable, params, paging, gone)
      return tokenPage(await present(project, found), next, { request, externalUrl })
    },
  })

  async function present(project: Project, found: readonly FoundCase[]): Promise<ListedTestCase[]> {
    const { database } = engine
    const jobIds = jobsWithFailures(found)
    const recent = await recentFailures(database, jobIds, project.default_branch)
    const flaky = await flakyFailures(database, jobIds)
    const source = { fileUrl: deps.fileUrlIn(project), recent, branch: project.default_branch }
    return found.map((one) => presentListedCase(one, source, flaky))
  }
}
