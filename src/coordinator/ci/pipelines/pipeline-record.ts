import type { Project } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import type { PipelineRow } from '../../database/tables/pipeline-rows.js'
import { archivedTest } from '../engine/archived-jobs.js'
import { coverageOfPipeline } from '../engine/reports/coverage-store.js'
import { presentPipeline } from './present.js'
import type { Pipeline } from './schema.js'
import { findUser, hasWarnings } from './store.js'

/** The record of one pipeline (API, I3). `externalUrl` has no trailing slash. */
export async function pipelineRecord(
  { database, externalUrl }: { database: Database; externalUrl: string },
  project: Project,
  pipeline: PipelineRow,
): Promise<Pipeline> {
  const user = await findUser(database, pipeline.user_id)
  const coverage = await coverageOfPipeline(database, pipeline.id)
  const warned = pipeline.status === 'success' && (await hasWarnings(database, pipeline.id))
  const isArchived = (await archivedTest(database))(pipeline)
  const around = { user, coverage, hasWarnings: warned, isArchived }
  return presentPipeline(pipeline, project, around, externalUrl)
}
