import type { Database } from '../../../database/connect.js'
import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import type { Transaction } from '../../../database/transaction.js'
import { familyOf } from '../hierarchy/ancestors.js'
import { dependenciesInPipeline, firstLost, lostDependencyInPipeline } from '../jobs/job-dependencies.js'
import { type JobVariablesDeps, variablesOfStoredJob } from '../jobs/job-variables.js'
import { type DispatchProblem, missingDependency } from '../jobs/missing-capability.js'
import { loadStoredJob } from '../jobs/stored-job.js'
import type { Candidate } from './candidate.js'
import { findProjectDependencies, type ProjectNeedsDeps, settleProjectNeeds } from './project-needs.js'

/**
 * The jobs whose artifacts a job fetches: those of its own pipeline, then those of its family, then those of other
 * projects, which were chosen when it was handed out (CI language, 16.2).
 */
export async function dependenciesOf(deps: JobVariablesDeps, job: JobRow): Promise<JobRow[]> {
  const ofFamily = await familyDependencies(deps, job)
  return [
    ...(await dependenciesInPipeline(deps.database, job)),
    ...foundIn(ofFamily),
    ...(await findProjectDependencies(deps.database, job.id)),
  ]
}

/**
 * Chooses what a job that is to be handed out fetches from other projects. Answers why it cannot be handed out: artifacts
 * that it depends on were erased or have expired, or are of a job elsewhere that is not there, has not succeeded or is
 * not for its user.
 */
export async function settleDependencies(
  deps: ProjectNeedsDeps,
  tx: Transaction,
  candidate: Candidate,
): Promise<DispatchProblem | undefined> {
  const { job } = candidate
  const lost = await lostDependencyInPipeline(tx, job)
  if (lost) return artifactsLost(lost)
  const ofFamily = await familyDependencies({ ...deps, database: tx }, job)
  const absent = ofFamily.find(({ found, isOptional }) => !found && !isOptional)
  if (absent) return jobNotInFamily(absent)
  const lostInFamily = await firstLost(tx, foundIn(ofFamily))
  return lostInFamily ? artifactsLost(lostInFamily) : settleProjectNeeds(deps, tx, candidate)
}

function artifactsLost({ id, name }: Pick<JobRow, 'id' | 'name'>): DispatchProblem {
  return missingDependency(
    `The artifacts of the job "${name}" (${id}) have expired or were erased: retry that job first.`,
  )
}

function jobNotInFamily({ pipeline, name }: FamilyDependency): DispatchProblem {
  return missingDependency(
    `No pipeline "${pipeline}" among the parents and children of this one has a successful job "${name}": ` +
      'check needs:pipeline and needs:job.',
  )
}

interface FamilyDependency {
  /** As the need says, variables expanded. */
  pipeline: string
  name: string
  isOptional: boolean
  found: JobRow | undefined
}

function foundIn(dependencies: readonly FamilyDependency[]): JobRow[] {
  return dependencies.flatMap(({ found }) => found ?? [])
}

/** One for each need. */
async function familyDependencies(deps: JobVariablesDeps, job: JobRow): Promise<FamilyDependency[]> {
  const needs = (job.options.foreignNeeds ?? []).flatMap((need) =>
    need.kind === 'pipeline' && need.artifacts ? [need] : [],
  )
  const asking = needs.length === 0 ? undefined : await loadStoredJob(deps.database, job.id)
  if (!asking) return []
  const { seen } = await variablesOfStoredJob(deps, asking, { forOtherProject: false })
  const dependencies: FamilyDependency[] = []
  for (const need of needs) {
    const pipeline = seen.expand(need.pipeline, 'empty')
    const name = seen.expand(need.job, 'empty')
    const found = await findInFamily(deps.database, job, pipeline, name)
    dependencies.push({ pipeline, name, isOptional: need.optional ?? false, found })
  }
  return dependencies
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
