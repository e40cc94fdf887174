import type { Database } from '../../database/connect.js'
import { findNeedsOf } from '../job-store.js'
import type { JobRow } from '../rows.js'
import { type DependencySelection, dependencySelection } from './dependency-selection.js'

/**
 * The jobs of its pipeline whose artifacts a job fetches, earlier stages first; also those that turned out to have none
 * (CI language, 16.2).
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
 * Whether artifacts that the job depends on were erased or have expired (an archive row without a blob tells of it);
 * never having had any is no lack.
 */
export async function lacksDependencyInPipeline(database: Database, job: JobRow): Promise<boolean> {
  const selection = await selectionOf(database, job)
  if (selection.names?.length === 0) return false
  return haveLostArtifacts(jobsOf(database, job, selection))
}

/** The same for these jobs. */
export async function hasLostArtifacts(database: Database, jobs: Pick<JobRow, 'id'>[]): Promise<boolean> {
  if (jobs.length === 0) return false
  const ids = jobs.map(({ id }) => id)
  return haveLostArtifacts(database.selectFrom('job').where('job.id', 'in', ids))
}

async function haveLostArtifacts(jobs: ReturnType<typeof jobsOf>): Promise<boolean> {
  const suspects = await jobs
    .leftJoin('job_artifact as archive', (join) =>
      join.onRef('archive.job_id', '=', 'job.id').on('archive.file_type', '=', 'archive'),
    )
    .select(['job.erased_at', 'job.options'])
    .where((eb) => eb.or([eb('job.erased_at', 'is not', null), eb('archive.blob_key', '=', '')]))
    .execute()
  return suspects.some((suspect) => suspect.erased_at === null || suspect.options.artifacts !== undefined)
}

async function selectionOf(database: Database, job: JobRow): Promise<DependencySelection> {
  return dependencySelection(job, job.options.dependencies, await findNeedsOf(database, job.id))
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
