import type { Database } from '../../database/connect.js'
import {
  dependenciesInPipeline,
  hasLostArtifacts,
  lacksDependencyInPipeline,
} from '../hand-out/job-dependencies.js'
import type { JobRow } from '../rows.js'
import { familyOf } from './family.js'
import { type JobVariablesDeps, variablesOfStoredJob } from './job-variables.js'
import { loadStoredJob } from './stored-job.js'

/** The jobs whose artifacts a job fetches: those of its own pipeline, then those of others (CI language, 16.2). */
export async function dependenciesOf(deps: JobVariablesDeps, job: JobRow): Promise<JobRow[]> {
  const foreign = await foreignDependencies(deps, job)
  return [
    ...(await dependenciesInPipeline(deps.database, job)),
    ...foreign.filter((found) => found !== undefined),
  ]
}

/**
 * Whether artifacts that the job depends on were erased or have expired, or are of a job of another pipeline that is not
 * there, not of the same family or has not succeeded.
 */
export async function lacksDependency(deps: JobVariablesDeps, job: JobRow): Promise<boolean> {
  if (await lacksDependencyInPipeline(deps.database, job)) return true
  const foreign = await foreignDependencies(deps, job)
  const found = foreign.filter((dependency) => dependency !== undefined)
  return found.length < foreign.length || hasLostArtifacts(deps.database, found)
}

/** One for each need; undefined where it has none. */
async function foreignDependencies(deps: JobVariablesDeps, job: JobRow): Promise<(JobRow | undefined)[]> {
  const needs = (job.options.foreignNeeds ?? []).flatMap((need) =>
    need.kind === 'pipeline' && need.artifacts ? [need] : [],
  )
  const asking = needs.length === 0 ? undefined : await loadStoredJob(deps.database, job.id)
  if (!asking) return []
  const { seen } = await variablesOfStoredJob(deps, asking, { forOtherProject: false })
  const found: (JobRow | undefined)[] = []
  for (const need of needs) {
    const pipeline = seen.expand(need.pipeline, 'empty')
    found.push(await findInFamily(deps.database, job, pipeline, seen.expand(need.job, 'empty')))
  }
  return found
}

async function findInFamily(
  database: Database,
  asking: JobRow,
  pipeline: string,
  name: string,
): Promise<JobRow | undefined> {
  if (!/^\d{1,15}$/.test(pipeline)) return undefined
  const pipelineId = Number(pipeline)
  if (pipelineId === asking.pipeline_id) return undefined
  if ((await familyOf(database, pipelineId)) !== (await familyOf(database, asking.pipeline_id)))
    return undefined
  return database
    .selectFrom('job')
    .selectAll()
    .where('pipeline_id', '=', pipelineId)
    .where('project_id', '=', asking.project_id)
    .where('kind', '=', 'build')
    .where('name', '=', name)
    .where('retried', '=', false)
    .where('status', '=', 'success')
    .executeTakeFirst()
}
