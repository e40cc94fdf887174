import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { JunitError } from '../../engine/reports/junit/junit-error.js'
import { readJunit } from '../../engine/reports/junit/read-junit.js'
import type { Artifacts } from '../../storage/artifacts/artifacts.js'

/**
 * Parses the JUnit report of a job right after the upload, so that later page views need not. An unreadable
 * report does not fail the upload: its test suite shows the error instead (CI language, 17.2). A report that
 * is already parsed is left unchanged.
 */
export async function storeTestReport(artifacts: Artifacts, job: JobRow): Promise<void> {
  const { testReports } = artifacts
  const report = await artifacts.find(job.id, 'junit')
  if (!report || (await testReports.has(job.id))) return
  try {
    await testReports.keep(job, readJunit(await artifacts.open(report)))
  } catch (error) {
    if (!(error instanceof JunitError)) throw error
    await testReports.storeError(job, error.message)
  }
}
