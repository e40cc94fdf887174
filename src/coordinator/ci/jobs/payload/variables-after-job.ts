import { VariableCollection } from '../../../../ci-config/variables/variable-collection.js'
import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { findPipeline, findProject } from '../../engine/pipeline-store.js'
import { dotenvVariables } from '../../predefined-variables/stored-variables.js'
import { jobVariables } from './job-variables.js'
import { type LoadFactsDeps, loadPayloadFacts, secretVariable } from './load-facts.js'
import { findRunner } from './store.js'

/**
 * Returns the variables of an ended job: those that its runner received, and those of its dotenv report.
 * Returns only the latter if the runner is no longer known. The job token is not included.
 */
export async function variablesAfterJob(deps: LoadFactsDeps, job: JobRow): Promise<VariableCollection> {
  const { database } = deps
  const runner = job.runner_id === null ? undefined : await findRunner(database, job.runner_id)
  if (!runner) return VariableCollection.of(job.yaml_variables)
  const pipeline = await findPipeline(database, job.pipeline_id)
  const project = await findProject(database, job.project_id)
  const facts = await loadPayloadFacts(deps, {
    job,
    pipeline,
    project,
    runner,
    token: '',
    together: [job.id],
  })
  const own = (await dotenvVariables(deps, [job])).map(secretVariable)
  return VariableCollection.of(
    jobVariables({ ...facts, dotenvVariables: [...facts.dotenvVariables, ...own] }),
  )
}
