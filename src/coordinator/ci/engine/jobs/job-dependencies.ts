import { type CompiledQuery, type QueryResult, sql, type SqlBool } from 'kysely'

import { groupBy } from '../../../../lib/group-by.js'
import type { Database, DialectName } from '../../../database/connect.js'
import { isTextInJson } from '../../../database/json-rows.js'
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
  return source.names
    ? outputsOfNamed(database, namedIn(source))
    : outputsOfEarlier(database, earlierIn(source))
}

const outputsOfEarlier = preparedRead((database, earlier: Earlier) => inOrder(earlierJobs(database, earlier)))

const outputsOfNamed = preparedRead((database, named: Named, dialect) =>
  inOrder(namedJobs(database, named, dialect)),
)

function inOrder(jobs: Jobs) {
  return jobs.select(['job.id', 'job.name']).where(HAS_OUTPUTS).orderBy('job.stage_index').orderBy('job.id')
}

/** As in the condition of the index, so that it is used. */
const HAS_OUTPUTS = sql<SqlBool>`job.has_outputs`

/** Whether a job may fetch the artifacts of `other`, which is in the same pipeline. */
export async function dependsInPipeline(database: Database, job: JobRow, other: JobRow): Promise<boolean> {
  const source = sourceOf(job, await needsOf(database, [job]))
  if (!source) return false
  return (
    !other.retried &&
    other.pipeline_id === source.pipelineId &&
    other.stage_index < source.beforeStage &&
    (source.names?.includes(other.name) ?? true)
  )
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
  return source.names
    ? lostNamed.with(database, namedIn(source))
    : lostEarlier.with(database, earlierIn(source))
}

const lostEarlier = new PreparedStatement((database, earlier: Earlier) =>
  lostAmong(earlierJobs(database, earlier)),
)

const lostNamed = new PreparedStatement((database, named: Named, dialect) =>
  lostAmong(namedJobs(database, named, dialect)),
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
  /** Only jobs of stages before this one. */
  beforeStage: number
}

/** No stage has this index. */
const AFTER_ALL_STAGES = 2 ** 31 - 1

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
  const beforeStage = earlierStagesOnly ? job.stage_index : AFTER_ALL_STAGES
  return { pipelineId: job.pipeline_id, names, beforeStage }
}

interface Earlier extends Record<string, Placeholder<unknown>> {
  pipelineId: Placeholder<number>
  beforeStage: Placeholder<number>
}

interface Named extends Earlier {
  /** A JSON array. */
  names: Placeholder<string>
}

function earlierIn({ pipelineId, beforeStage }: DependencySource): Values<Earlier> {
  return { pipelineId, beforeStage }
}

function namedIn(source: DependencySource): Values<Named> {
  return { ...earlierIn(source), names: JSON.stringify(source.names) }
}

type Jobs = ReturnType<typeof earlierJobs>

function earlierJobs(database: Database, { pipelineId, beforeStage }: Earlier) {
  return database
    .selectFrom('job')
    .where('job.pipeline_id', '=', pipelineId)
    .where('job.retried', '=', false)
    .where('job.stage_index', '<', beforeStage)
}

function namedJobs(database: Database, named: Named, dialect: DialectName): Jobs {
  return earlierJobs(database, named).where(isTextInJson(dialect, sql.ref('job.name'), named.names))
}
