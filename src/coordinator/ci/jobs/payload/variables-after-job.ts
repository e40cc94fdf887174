import { VariableCollection } from '../../../../ci-config/variables/variable-collection.js'
import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { findPipeline, findProject } from '../../engine/pipeline-store.js'
import { dotenvVariables } from '../../predefined-variables/stored-variables.js'
import { jobVariables } from './job-variables.js'
import { type LoadFactsDeps, loadPayloadFacts, secretVariable } from './load-facts.js'
import { findRunner } from './store.js'

/**
 * The variables of a job that has done its work: those that its runner got, and what it has left itself in a dotenv report.
 * Those of the file alone when nobody knows any more who ran it. Its token is not among them.
 */
export async function variablesAfterJob(deps: LoadFactsDeps, job: JobRow): Promise<VariableCollection> {
  const { database } = deps
  const runner = job.runner_id === null ? undefined : await findRunner(database, job.runner_id)
  if (!runner) return VariableCollection.of(job.yaml_variables)
  const pipeline = await findPipeline(database, job.pipeline_id)
  const project = await findProject(database, job.project_id)
  const facts = await loadPayloadFacts(deps, { job, pipeline, project, runner, token: '' })
  const own = (await dotenvVariables(deps, [job])).map(secretVariable)
  return VariableCollection.of(
    jobVariables({ ...facts, dotenvVariables: [...facts.dotenvVariables, ...own] }),
  )
}
