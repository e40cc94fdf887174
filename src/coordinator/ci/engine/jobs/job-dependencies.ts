import { type CompiledQuery, type QueryResult, sql, type SqlBool } from 'kysely'

import { groupBy } from '../../../../lib/group-by.js'
import type { Database, DialectName } from '../../../database/connect.js'
import { isTextInJson, jsonRows } from '../../../database/json-rows.js'
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

/** Not a comparison, for which SQLite would use an index of all jobs. */
const IS_LATEST = sql<SqlBool>`not job.retried`

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
  queries: CompiledQuery<LostJob>[]
  /** The first lost dependency of each job, by the ID of the job. */
  readLost: (results: readonly QueryResult<LostJob>[]) => Map<number, NamedJob>
}

/** `of`: the job that depends on it, or one of those that depend on the same jobs. */
type LostJob = NamedJob & { of: number }

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
  const searches = new Map(
    [...dependents.values()].map(({ source, ids }) => [ids[0] as number, { source, ids }]),
  ) // none is empty
  return {
    queries: queriesForLost(database, searches),
    readLost: (results) => {
      const lost = new Map<number, NamedJob>()
      for (const { of, id, name } of results.flatMap(({ rows }) => rows))
        for (const dependent of searches.get(of)?.ids ?? [])
          if (!lost.has(dependent)) lost.set(dependent, { id, name })
      return lost
    },
  }
}

/** One for all jobs that depend on the stages before them, and one for each that names what it depends on. */
function queriesForLost(
  database: Database,
  searches: ReadonlyMap<number, { source: DependencySource }>,
): CompiledQuery<LostJob>[] {
  const queries: CompiledQuery<LostJob>[] = []
  const earlier: EarlierStages[] = []
  for (const [of, { source }] of searches) {
    if (source.names) queries.push(lostNamed.with(database, { of, ...namedIn(source) }))
    else earlier.push({ of, pipeline_id: source.pipelineId, before_stage: source.beforeStage })
  }
  if (earlier.length > 0) queries.push(lostEarlier.with(database, { earlier: JSON.stringify(earlier) }))
  return queries
}

interface EarlierStages {
  of: number
  pipeline_id: number
  before_stage: number
}

/** The first of the jobs whose artifacts were erased or have expired. */
export async function firstLost(
  database: Database,
  jobs: readonly Pick<JobRow, 'id'>[],
): Promise<NamedJob | undefined> {
  if (jobs.length === 0) return undefined
  const ids = jobs.map(({ id }) => id)
  return lostAmong(database.selectFrom('job').where('job.id', 'in', ids)).executeTakeFirst()
}

export type NamedJob = Pick<JobRow, 'id' | 'name'>

const lostEarlier = new PreparedStatement(
  (database, { earlier }: { earlier: Placeholder<string> }, dialect) => {
    const columns = { of: 'bigint', pipeline_id: 'bigint', before_stage: 'bigint' } as const
    const jobs = database
      .selectFrom('job')
      .innerJoin(jsonRows<EarlierStages>(dialect, columns, earlier).as('given'), (join) =>
        join
          .onRef('job.pipeline_id', '=', 'given.pipeline_id')
          .onRef('job.stage_index', '<', 'given.before_stage'),
      )
      .where(IS_LATEST)
    return lostAmong(jobs).select(sql.ref<number>('given.of').as('of'))
  },
)

const lostNamed = new PreparedStatement((database, { of, ...named }: LostNamed, dialect) =>
  lostAmong(namedJobs(database, named, dialect)).select(of.as('of')),
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

interface LostNamed extends Named {
  of: Placeholder<number>
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
    .where(IS_LATEST)
    .where('job.stage_index', '<', beforeStage)
}

function namedJobs(database: Database, named: Named, dialect: DialectName): Jobs {
  return earlierJobs(database, named).where(isTextInJson(dialect, sql.ref('job.name'), named.names))
}
