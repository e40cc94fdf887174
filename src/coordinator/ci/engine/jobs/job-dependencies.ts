import type { Database } from '../../../database/connect.js'
import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { findNeedsOf } from '../job-store.js'
import { type DependencySelection, dependencySelection } from './dependency-selection.js'

/**
 * The jobs of the same pipeline whose artifacts a job fetches, earlier stages first, including jobs without
 * artifacts (CI language, 16.2).
 */
export async function dependenciesInPipeline(database: Database, job: JobRow): Promise<JobRow[]> {
  const selection = await selectionOf(database, job)
  if (selection.names?.length === 0) return []
  return jobsOf(database, job, selection)
    .selectAll('job')
    .orderBy('job.stage_index')
    .orderBy('job.id')
    .execute()
}

/**
 * The first dependency in the same pipeline whose artifacts were erased or have expired; an archive row
 * without a blob shows this. A dependency that never had artifacts does not count.
 */
export async function lostDependencyInPipeline(
  database: Database,
  job: JobRow,
): Promise<NamedJob | undefined> {
  const selection = await selectionOf(database, job)
  if (selection.names?.length === 0) return undefined
  return firstWithLostArtifacts(jobsOf(database, job, selection))
}

/** Like `lostDependencyInPipeline`, for the given jobs. */
export async function firstLost(
  database: Database,
  jobs: readonly Pick<JobRow, 'id'>[],
): Promise<NamedJob | undefined> {
  if (jobs.length === 0) return undefined
  const ids = jobs.map(({ id }) => id)
  return firstWithLostArtifacts(database.selectFrom('job').where('job.id', 'in', ids))
}

type NamedJob = Pick<JobRow, 'id' | 'name'>

async function firstWithLostArtifacts(jobs: ReturnType<typeof jobsOf>): Promise<NamedJob | undefined> {
  const suspects = await jobs
    .leftJoin('job_artifact as archive', (join) =>
      join.onRef('archive.job_id', '=', 'job.id').on('archive.file_type', '=', 'archive'),
    )
    .select(['job.id', 'job.name', 'job.erased_at', 'job.options'])
    .where((eb) => eb.or([eb('job.erased_at', 'is not', null), eb('archive.blob_key', '=', '')]))
    .orderBy('job.id')
    .execute()
  return suspects.find((suspect) => suspect.erased_at === null || suspect.options.artifacts !== undefined)
}

async function selectionOf(database: Database, job: JobRow): Promise<DependencySelection> {
  // A job that waits for the stages before it has no needs.
  const needs = job.scheduling_type === 'dag' ? await findNeedsOf(database, job.id) : []
  const selection = dependencySelection(job, job.options.dependencies, needs)
  const hasNone = selection.earlierStagesOnly && job.stage_index === 0
  return hasNone ? { ...selection, names: [] } : selection
}

/** Latest attempts only. */
function jobsOf(database: Database, job: JobRow, { names, earlierStagesOnly }: DependencySelection) {
  return database
    .selectFrom('job')
    .where('job.pipeline_id', '=', job.pipeline_id)
    .where('job.retried', '=', false)
    .$if(names !== undefined, (jobs) => jobs.where('job.name', 'in', names ?? []))
    .$if(earlierStagesOnly, (jobs) => jobs.where('job.stage_index', '<', job.stage_index))
}
