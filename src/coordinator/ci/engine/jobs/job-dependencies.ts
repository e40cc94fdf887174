import { groupBy } from '../../../../lib/group-by.js'
import type { Database } from '../../../database/connect.js'
import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { findNeedsOf } from '../job-store.js'
import { dependencySelection } from './dependency-selection.js'

/**
 * The jobs of the same pipeline whose artifacts a job fetches, earlier stages first, including jobs without
 * artifacts (CI language, 16.2).
 */
export async function dependenciesInPipeline(database: Database, job: JobRow): Promise<JobRow[]> {
  return dependencyReader(database)(job)
}

/** Reads dependencies as `dependenciesInPipeline` does, once for all jobs that have the same. */
export function dependencyReader(database: Database): (job: JobRow) => Promise<JobRow[]> {
  const known = new Map<string, Promise<JobRow[]>>()
  return async (job) => {
    const source = sourceOf(job, await needsOf(database, [job]))
    if (!source) return []
    const key = JSON.stringify(source)
    const found = known.get(key) ?? dependenciesFrom(database, source)
    known.set(key, found)
    return found
  }
}

function dependenciesFrom(database: Database, source: DependencySource): Promise<JobRow[]> {
  return jobsFrom(database, source).selectAll('job').orderBy('job.stage_index').orderBy('job.id').execute()
}

/**
 * The first dependency of each job in its pipeline whose artifacts were erased or have expired, by the ID of the job; an
 * archive row without a blob shows this. A dependency that never had artifacts does not count.
 */
export async function lostDependenciesInPipeline(
  database: Database,
  jobs: readonly JobRow[],
): Promise<Map<number, NamedJob>> {
  const lost = new Map<number, NamedJob>()
  const needs = await needsOf(database, jobs)
  const dependent = jobs.flatMap((job) => {
    const source = sourceOf(job, needs)
    return source ? [{ id: job.id, source }] : []
  })
  const found = new Map<string, Promise<NamedJob | undefined>>()
  for (const { id, source } of dependent) {
    const key = JSON.stringify(source)
    const first = found.get(key) ?? firstWithLostArtifacts(jobsFrom(database, source))
    found.set(key, first)
    const dependency = await first
    if (dependency) lost.set(id, dependency)
  }
  return lost
}

/** The first of the jobs whose artifacts were erased or have expired. */
export async function firstLost(
  database: Database,
  jobs: readonly Pick<JobRow, 'id'>[],
): Promise<NamedJob | undefined> {
  if (jobs.length === 0) return undefined
  const ids = jobs.map(({ id }) => id)
  return firstWithLostArtifacts(database.selectFrom('job').where('job.id', 'in', ids))
}

export type NamedJob = Pick<JobRow, 'id' | 'name'>

async function firstWithLostArtifacts(jobs: ReturnType<typeof jobsFrom>): Promise<NamedJob | undefined> {
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

/** The jobs of a pipeline that another job of it depends on: the latest attempts. */
interface DependencySource {
  pipelineId: number
  /** Undefined: any. */
  names: string[] | undefined
  /** Undefined: of any stage. */
  beforeStage: number | undefined
}

type Needs = Awaited<ReturnType<typeof findNeedsOf>>

/** By the ID of the job. */
async function needsOf(database: Database, jobs: readonly JobRow[]): Promise<Map<number, Needs>> {
  // A job that waits for the stages before it has no needs.
  const ids = jobs.filter(({ scheduling_type }) => scheduling_type === 'dag').map(({ id }) => id)
  return groupBy(await findNeedsOf(database, ids), ({ job_id }) => job_id)
}

/** Undefined for a job that depends on none. */
function sourceOf(job: JobRow, needs: ReadonlyMap<number, Needs>): DependencySource | undefined {
  const { names, earlierStagesOnly } = dependencySelection(
    job,
    job.options.dependencies,
    needs.get(job.id) ?? [],
  )
  if (names?.length === 0 || (earlierStagesOnly && job.stage_index === 0)) return undefined
  const beforeStage = earlierStagesOnly ? job.stage_index : undefined
  return { pipelineId: job.pipeline_id, names, beforeStage }
}

function jobsFrom(database: Database, { pipelineId, names, beforeStage }: DependencySource) {
  return database
    .selectFrom('job')
    .where('job.pipeline_id', '=', pipelineId)
    .where('job.retried', '=', false)
    .$if(names !== undefined, (jobs) => jobs.where('job.name', 'in', names ?? []))
    .$if(beforeStage !== undefined, (jobs) => jobs.where('job.stage_index', '<', beforeStage ?? 0))
}
