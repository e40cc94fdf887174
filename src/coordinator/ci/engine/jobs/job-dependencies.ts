import { type CompiledQuery, type QueryResult, sql, type SqlBool } from 'kysely'

import { groupBy } from '../../../../lib/group-by.js'
import type { Database } from '../../../database/connect.js'
import { preparedRead } from '../../../database/prepared-read.js'
import { type Placeholder, PreparedStatement, type Values } from '../../../database/prepared-statement.js'
import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { findNeedsOf } from '../job-store.js'
import { dependencySelection } from './dependency-selection.js'

/**
 * The jobs of the same pipeline whose outputs a job gets, earlier stages first (CI language, 16.2). Jobs that have stored
 * none are left out: in a pipeline of thousands of jobs, only few have any.
 */
export async function dependenciesInPipeline(database: Database, job: JobRow): Promise<NamedJob[]> {
  return dependencyReader(database)(job)
}

/** Reads dependencies as `dependenciesInPipeline` does, once for all jobs that have the same. */
export function dependencyReader(database: Database): (job: JobRow) => Promise<NamedJob[]> {
  const known = new Map<string, Promise<NamedJob[]>>()
  return async (job) => {
    const source = sourceOf(job, await needsOf(database, [job]))
    if (!source) return []
    const key = JSON.stringify(source)
    const found = known.get(key) ?? dependenciesFrom(database, source)
    known.set(key, found)
    return found
  }
}

function dependenciesFrom(database: Database, source: DependencySource): Promise<NamedJob[]> {
  const earlier = earlierStages(source)
  return earlier ? inEarlierStages(database, earlier) : inOrder(jobsFrom(database, source)).execute()
}

const inEarlierStages = preparedRead((database, earlier: Earlier) => inOrder(jobsFrom(database, earlier)))

function inOrder(jobs: Jobs) {
  return jobs.select(['job.id', 'job.name']).where(HAS_OUTPUTS).orderBy('job.stage_index').orderBy('job.id')
}

/** As in the condition of the index, so that it is used. */
const HAS_OUTPUTS = sql<SqlBool>`job.has_outputs`

/** Whether a job may fetch the artifacts of `other`, which is in the same pipeline. */
export async function dependsInPipeline(database: Database, job: JobRow, other: JobRow): Promise<boolean> {
  const source = sourceOf(job, await needsOf(database, [job]))
  if (!source) return false
  const [found] = await jobsFrom(database, source).select('job.id').where('job.id', '=', other.id).execute()
  return found !== undefined
}

/** A search for dependencies that are lost: the caller executes its queries. */
export interface LostDependencySearch {
  queries: CompiledQuery<NamedJob>[]
  /** The first lost dependency of each job, by the ID of the job. */
  readLost: (results: readonly QueryResult<NamedJob>[]) => Map<number, NamedJob>
}

/**
 * Searches the dependencies of jobs in their pipelines for those whose artifacts were erased or have expired; an archive row
 * without a blob shows this. A dependency that never had artifacts does not count.
 */
export async function searchLostDependencies(
  database: Database,
  jobs: readonly JobRow[],
): Promise<LostDependencySearch> {
  const needs = await needsOf(database, jobs)
  const dependents = new Map<string, { source: DependencySource; ids: number[] }>()
  for (const job of jobs) {
    const source = sourceOf(job, needs)
    if (!source) continue
    const key = JSON.stringify(source)
    const alike = dependents.get(key)
    if (alike) alike.ids.push(job.id)
    else dependents.set(key, { source, ids: [job.id] })
  }
  const searches = [...dependents.values()]
  return {
    queries: searches.map(({ source }) => lostOf(database, source)),
    readLost: (results) => {
      const first = results.map(({ rows }) => rows[0])
      return new Map(searches.flatMap(({ ids }, index) => lostBy(ids, first[index])))
    },
  }
}

function lostBy(ids: readonly number[], lost: NamedJob | undefined): [number, NamedJob][] {
  return lost ? ids.map((id) => [id, lost]) : []
}

/** The first of the jobs whose artifacts were erased or have expired. */
export async function firstLost(
  database: Database,
  jobs: readonly Pick<JobRow, 'id'>[],
): Promise<NamedJob | undefined> {
  if (jobs.length === 0) return undefined
  const ids = jobs.map(({ id }) => id)
  return (await lostAmong(database.selectFrom('job').where('job.id', 'in', ids)).execute())[0]
}

export type NamedJob = Pick<JobRow, 'id' | 'name'>

function lostOf(database: Database, source: DependencySource): CompiledQuery<NamedJob> {
  const earlier = earlierStages(source)
  return earlier
    ? lostInEarlierStages.with(database, earlier)
    : lostAmong(jobsFrom(database, source)).compile()
}

const lostInEarlierStages = new PreparedStatement((database, earlier: Earlier) =>
  lostAmong(jobsFrom(database, earlier)),
)

/** Jobs with outputs that were erased, or whose archive is gone. */
function lostAmong(jobs: Jobs) {
  return jobs
    .leftJoin('job_artifact as archive', (join) =>
      join.onRef('archive.job_id', '=', 'job.id').on('archive.file_type', '=', 'archive'),
    )
    .select(['job.id', 'job.name'])
    .where(HAS_OUTPUTS)
    .where((eb) => eb.or([eb('job.erased_at', 'is not', null), eb('archive.blob_key', '=', '')]))
    .orderBy('job.id')
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

/** Undefined unless a job depends on all jobs of earlier stages, as most jobs do. */
function earlierStages({ pipelineId, names, beforeStage }: DependencySource): Values<Earlier> | undefined {
  return names === undefined && beforeStage !== undefined ? { pipelineId, beforeStage } : undefined
}

interface Earlier extends Record<string, Placeholder<number>> {
  pipelineId: Placeholder<number>
  beforeStage: Placeholder<number>
}

type Jobs = ReturnType<typeof jobsFrom>

function jobsFrom(
  database: Database,
  { pipelineId, names, beforeStage }: DependencySource | (Earlier & { names?: undefined }),
) {
  return database
    .selectFrom('job')
    .where('job.pipeline_id', '=', pipelineId)
    .where('job.retried', '=', false)
    .$if(names !== undefined, (jobs) => jobs.where('job.name', 'in', names ?? []))
    .$if(beforeStage !== undefined, (jobs) => jobs.where('job.stage_index', '<', beforeStage ?? 0))
}
