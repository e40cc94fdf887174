import type { Database } from '../database/connect.js'
import { findNeedsOf } from './job-store.js'
import type { JobRow } from './rows.js'

/**
 * The jobs whose artifacts a job fetches, earlier stages first; also those that turned out to have none
 * (CI language, 16.2).
 */
export async function dependenciesOf(database: Database, job: JobRow): Promise<JobRow[]> {
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
export async function lacksDependency(database: Database, job: JobRow): Promise<boolean> {
  const selection = await selectionOf(database, job)
  if (selection.names?.length === 0) return false
  const suspects = await jobsOf(database, job, selection)
    .leftJoin('job_artifact as archive', (join) =>
      join.onRef('archive.job_id', '=', 'job.id').on('archive.file_type', '=', 'archive'),
    )
    .select(['job.erased_at', 'job.options'])
    .where((eb) => eb.or([eb('job.erased_at', 'is not', null), eb('archive.blob_key', '=', '')]))
    .execute()
  return suspects.some((suspect) => suspect.erased_at === null || suspect.options.artifacts !== undefined)
}

/** Which jobs of the pipeline count: by name (undefined: any), and whether only those of earlier stages. */
interface Selection {
  names: string[] | undefined
  earlierStagesOnly: boolean
}

async function selectionOf(database: Database, job: JobRow): Promise<Selection> {
  const written = job.options.dependencies
  if (job.scheduling_type === 'stage') return { names: written, earlierStagesOnly: true }
  const needed = await namesWithArtifacts(database, job.id)
  const names = written ? needed.filter((name) => written.includes(name)) : needed
  return { names, earlierStagesOnly: false }
}

/** Latest attempts only. */
function jobsOf(database: Database, job: JobRow, { names, earlierStagesOnly }: Selection) {
  return database
    .selectFrom('job')
    .where('job.pipeline_id', '=', job.pipeline_id)
    .where('job.retried', '=', false)
    .$if(names !== undefined, (jobs) => jobs.where('job.name', 'in', names ?? []))
    .$if(earlierStagesOnly, (jobs) => jobs.where('job.stage_index', '<', job.stage_index))
}

async function namesWithArtifacts(database: Database, jobId: number): Promise<string[]> {
  const needs = await findNeedsOf(database, jobId)
  return needs.filter((need) => need.artifacts).map((need) => need.name)
}
