import { type CompiledQuery, type QueryResult, sql, type SqlBool } from 'kysely'

import { groupBy } from '../../../../lib/group-by.js'
import type { Database, DialectName } from '../../../database/connect.js'
import { isInJson, isTextInJson } from '../../../database/json-rows.js'
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

/**
 * Reads dependencies as `dependenciesInPipeline` does, once for all jobs that have the same. `together`: IDs of jobs that are
 * likely to be asked for too; the needs of all of them are read at once.
 */
export function dependencyReader(
  database: Database,
  together: readonly number[] = [],
): (job: JobRow) => Promise<NamedJob[]> {
  const known = new Map<string, Promise<NamedJob[]>>()
  let needsOfAll: Promise<Map<number, Needs>> | undefined
  const needsFor = (job: JobRow): Promise<Map<number, Needs>> => {
    if (!hasNeeds(job) || !together.includes(job.id)) return needsOf(database, [job])
    return (needsOfAll ??= needsByJob(database, together))
  }
  return async (job) => {
    const source = sourceOf(job, await needsFor(job))
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
  return !other.retried && isFrom(source, other)
}

/** A search for dependencies that are lost: the caller executes its query. */
export interface LostDependencySearch {
  query: CompiledQuery<LostJob>
  /** The first lost dependency of each job, by the ID of the job. */
  readLost: (result: QueryResult<LostJob>) => Map<number, NamedJob>
}

/**
 * Searches the dependencies of jobs in their pipelines for those whose artifacts were erased or have expired; an archive row
 * without a blob shows this. A dependency that never had artifacts does not count. One query serves all jobs: hardly any
 * pipeline has lost artifacts.
 */
export async function searchLostDependencies(
  database: Database,
  jobs: readonly JobRow[],
): Promise<LostDependencySearch> {
  const needs = await needsOf(database, jobs)
  const sources = jobs.flatMap((job) => {
    const source = sourceOf(job, needs)
    return source ? [{ job, source }] : []
  })
  const pipelineIds = [...new Set(sources.map(({ source }) => source.pipelineId))]
  return {
    query: lostInPipelines.with(database, { pipelineIds: JSON.stringify(pipelineIds) }),
    readLost: ({ rows }) => {
      const lost = new Map<number, NamedJob>()
      for (const { job, source } of sources) {
        const first = rows.find((row) => isFrom(source, row))
        if (first) lost.set(job.id, first)
      }
      return lost
    },
  }
}

type LostJob = Pick<JobRow, 'id' | 'name' | 'pipeline_id' | 'stage_index'>

/** Of latest attempts. */
function isFrom({ pipelineId, names, beforeStage }: DependencySource, job: LostJob): boolean {
  return (
    job.pipeline_id === pipelineId && job.stage_index < beforeStage && (names?.includes(job.name) ?? true)
  )
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

const lostInPipelines = new PreparedStatement(
  (database, { pipelineIds }: { pipelineIds: Placeholder<string> }, dialect) =>
    lostAmong(
      database
        .selectFrom('job')
        .where(isInJson(dialect, sql.ref('job.pipeline_id'), pipelineIds))
        .where(IS_LATEST),
    ).select(['job.pipeline_id', 'job.stage_index']),
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
function needsOf(database: Database, jobs: readonly JobRow[]): Promise<Map<number, Needs>> {
  return needsByJob(
    database,
    jobs.filter(hasNeeds).map(({ id }) => id),
  )
}

/** A job that waits for the stages before it has none. */
function hasNeeds({ scheduling_type }: JobRow): boolean {
  return scheduling_type === 'dag'
}

async function needsByJob(database: Database, jobIds: readonly number[]): Promise<Map<number, Needs>> {
  return groupBy(await findNeedsOf(database, jobIds), ({ job_id }) => job_id)
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
    .where(IS_LATEST)
    .where('job.stage_index', '<', beforeStage)
}

function namedJobs(database: Database, named: Named, dialect: DialectName): Jobs {
  return earlierJobs(database, named).where(isTextInJson(dialect, sql.ref('job.name'), named.names))
}
