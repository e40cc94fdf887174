import { Readable } from 'node:stream'

import type { Project } from '../../access/caller.js'
import { notFound } from '../../http/errors.js'
import { type Operation, operation, stream } from '../../http/operation.js'
import { findPipelineOfProject } from '../engine/pipeline-store.js'
import { recentFailures } from '../storage/artifacts/test-history.js'
import type { PipelineTestReport, TestReport } from '../storage/artifacts/test-reports.js'
import type { PipelineOperationsDeps } from './pipeline-operations-deps.js'
import { presentTestReportSummary, writeTestReport } from './present-test-report.js'
import { PipelineId } from './schema.js'
import { testCaseListOperation } from './test-case-operations.js'
import { TestReportRecord, TestReportSummary } from './test-report-schema.js'
import { testSuitesOf } from './test-suites.js'

type Deps = Pick<PipelineOperationsDeps, 'engine' | 'artifacts' | 'externalUrl'>

/** Test reports of a pipeline (API, I3). */
export function testReportOperations(deps: Deps): Operation[] {
  const { testReports } = deps.artifacts
  return [
    operation('GET /projects/:id/pipelines/:pipeline_id/test_report', {
      summary: 'Get the test report of a pipeline',
      access: 'read_pipelines',
      params: PipelineId,
      responses: { 200: TestReportRecord },
      run: async (call) => {
        const { project, params } = call
        const reports = await reportsOf(project, params.pipeline_id)
        const source = {
          casesOf: (report: TestReport) => testReports.casesOf(report),
          fileUrl: fileUrlIn(project),
          recent: await recentFailures(
            deps.engine.database,
            reports.map(({ job_id }) => job_id),
            project.default_branch,
          ),
          branch: project.default_branch,
        }
        const suites = testSuitesOf(reports.filter(isThere))
        return stream(Readable.from(writeTestReport(suites, source)), 'application/json')
      },
    }),
    operation('GET /projects/:id/pipelines/:pipeline_id/test_report_summary', {
      summary: 'Get the test report summary of a pipeline',
      access: 'read_pipelines',
      params: PipelineId,
      responses: { 200: TestReportSummary },
      run: async (call) => {
        return presentTestReportSummary(testSuitesOf(await reportsOf(call.project, call.params.pipeline_id)))
      },
    }),
    testCaseListOperation({ ...deps, reportsOf, fileUrlIn }),
  ]

  function fileUrlIn(project: Project) {
    return (jobId: number, path: string) => urlOfFile(deps, project, jobId, path)
  }

  async function reportsOf(project: Project, pipelineId: number): Promise<PipelineTestReport[]> {
    const pipeline = await findPipelineOfProject(deps.engine.database, project.id, pipelineId)
    if (!pipeline) throw notFound()
    return testReports.ofPipeline(pipeline.id)
  }
}

/** The summary still counts suites whose cases have expired. */
function isThere({ blob_key, suite_error }: TestReport): boolean {
  return blob_key !== '' || suite_error !== null
}

function urlOfFile({ externalUrl }: Deps, project: Project, jobId: number, path: string): string {
  const encoded = path.split('/').map(encodeURIComponent).join('/')
  return `${externalUrl}/api/v4/projects/${project.id}/jobs/${jobId}/artifacts/${encoded}`
}
