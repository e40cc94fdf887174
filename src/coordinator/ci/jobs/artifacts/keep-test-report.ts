import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { JunitError } from '../../engine/reports/junit/junit-error.js'
import { readJunit } from '../../engine/reports/junit/read-junit.js'
import type { Artifacts } from '../../storage/artifacts/artifacts.js'

/**
 * Reads the JUnit report that a job has just uploaded, so that nobody who looks at the pipeline has to. One that cannot be
 * read is no fault of the upload: its suite tells why (CI language, 17.2). A report that was read already is left alone.
 */
export async function keepTestReport(artifacts: Artifacts, job: JobRow): Promise<void> {
  const { testReports } = artifacts
  const report = await artifacts.find(job.id, 'junit')
  if (!report || (await testReports.has(job.id))) return
  try {
    await testReports.keep(job, readJunit(await artifacts.open(report)))
  } catch (error) {
    if (!(error instanceof JunitError)) throw error
    await testReports.keepError(job, error.message)
  }
}
