import type { Database } from '../../../database/connect.js'
import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import type { Transaction } from '../../../database/transaction.js'
import { findRootPipeline } from '../hierarchy/ancestors.js'
import { dependencyReader, dependsInPipeline, firstLost, type NamedJob } from '../jobs/job-dependencies.js'
import { type JobVariablesDeps, variablesOfStoredJob } from '../jobs/job-variables.js'
import { type DispatchProblem, missingDependency } from '../jobs/missing-capability.js'
import { loadStoredJob } from '../jobs/stored-job.js'
import type { Candidate } from './candidate.js'
import {
  findProjectDependencies,
  needsProjects,
  type ProjectNeedsDeps,
  resolveProjectNeeds,
} from './project-needs.js'

/**
 * The jobs whose artifacts a job fetches (CI language, 16.2): those of its own pipeline, then of the pipeline
 * hierarchy, then of other projects. The latter were chosen at dispatch. Jobs of its own pipeline without any are left
 * out.
 */
export async function dependenciesOf(
  deps: JobVariablesDeps,
  job: JobRow,
  inPipeline = dependencyReader(deps.database),
): Promise<NamedJob[]> {
  return [...(await inPipeline(job)), ...(await outsidePipeline(deps, job))]
}

/** Whether a job may fetch the artifacts of `other`. */
export async function isDependency(deps: JobVariablesDeps, job: JobRow, other: JobRow): Promise<boolean> {
  if (other.pipeline_id === job.pipeline_id) return dependsInPipeline(deps.database, job, other)
  return (await outsidePipeline(deps, job)).some(({ id }) => id === other.id)
}

async function outsidePipeline(deps: JobVariablesDeps, job: JobRow): Promise<NamedJob[]> {
  const inHierarchy = await hierarchyDependencies(deps, job)
  const ofProjects = needsProjects(job) ? await findProjectDependencies(deps.database, job.id) : []
  return [...foundIn(inHierarchy), ...ofProjects]
}

/**
 * Chooses the jobs of other projects whose artifacts a job fetches, before its dispatch. Returns the reason
 * if the job cannot be dispatched. Either required artifacts were erased or have expired, or the other job
 * does not exist, has not succeeded or is not accessible to its user.
 */
export async function resolveDependencies(
  deps: ProjectNeedsDeps,
  tx: Transaction,
  candidate: Candidate,
): Promise<DispatchProblem | undefined> {
  const { job, lostDependency } = candidate
  if (lostDependency) return artifactsLost(lostDependency)
  const inHierarchy = await hierarchyDependencies({ ...deps, database: tx }, job)
  const absent = inHierarchy.find(({ found, isOptional }) => !found && !isOptional)
  if (absent) return jobNotInHierarchy(absent)
  const lostInHierarchy = await firstLost(tx, foundIn(inHierarchy))
  return lostInHierarchy ? artifactsLost(lostInHierarchy) : resolveProjectNeeds(deps, tx, candidate)
}

function artifactsLost({ id, name }: NamedJob): DispatchProblem {
  return missingDependency(
    `The artifacts of the job "${name}" (${id}) have expired or were erased: retry that job first.`,
  )
}

function jobNotInHierarchy({ pipeline, name }: HierarchyDependency): DispatchProblem {
  return missingDependency(
    `No pipeline "${pipeline}" among the parents and children of this one has a successful job "${name}": ` +
      'check needs:pipeline and needs:job.',
  )
}

interface HierarchyDependency {
  /** As in `needs`, with variables expanded. */
  pipeline: string
  name: string
  isOptional: boolean
  found: JobRow | undefined
}

function foundIn(dependencies: readonly HierarchyDependency[]): JobRow[] {
  return dependencies.flatMap(({ found }) => found ?? [])
}

/** One for each need. */
async function hierarchyDependencies(deps: JobVariablesDeps, job: JobRow): Promise<HierarchyDependency[]> {
  const needs = (job.options.foreignNeeds ?? []).flatMap((need) =>
    need.kind === 'pipeline' && need.artifacts ? [need] : [],
  )
  const asking = needs.length === 0 ? undefined : await loadStoredJob(deps.database, job.id)
  if (!asking) return []
  const { seen } = await variablesOfStoredJob(deps, asking, { forOtherProject: false })
  const dependencies: HierarchyDependency[] = []
  for (const need of needs) {
    const pipeline = seen.expand(need.pipeline, 'empty')
    const name = seen.expand(need.job, 'empty')
    const found = await findInHierarchy(deps.database, job, pipeline, name)
    dependencies.push({ pipeline, name, isOptional: need.optional ?? false, found })
  }
  return dependencies
}

async function findInHierarchy(
  database: Database,
  asking: JobRow,
  pipeline: string,
  name: string,
): Promise<JobRow | undefined> {
  if (!/^\d{1,15}$/.test(pipeline)) return undefined
  const pipelineId = Number(pipeline)
  if (pipelineId === asking.pipeline_id) return undefined
  if (
    (await findRootPipeline(database, pipelineId)) !== (await findRootPipeline(database, asking.pipeline_id))
  )
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
