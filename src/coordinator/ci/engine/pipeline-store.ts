import { type Insertable, sql } from 'kysely'

import { DAY } from '../../../lib/time-units.js'
import type { Database, DialectName } from '../../database/connect.js'
import { isInJson } from '../../database/json-rows.js'
import { keyedRead } from '../../database/keyed-read.js'
import { requireRow } from '../../database/lost-race.js'
import { preparedRead } from '../../database/prepared-read.js'
import { type Placeholder, PreparedStatement } from '../../database/prepared-statement.js'
import { preparedWrite } from '../../database/prepared-write.js'
import type { PipelineRow, ProjectRow } from '../../database/tables/pipeline-rows.js'
import type {
  CompositeStatus,
  PipelineTable,
  PipelineVariableTable,
} from '../../database/tables/pipelines.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { emitDeletedPipeline, emitPipeline, emitPipelineChange } from './engine-events.js'
import { COMPLETED_STATUSES } from './job-status.js'
import { DANGLING_SOURCES } from './pipeline-source.js'
import type { StoredRef } from './stored-ref.js'

/**
 * Locks the pipeline until `tx` ends. Every event takes this lock first, and locks on jobs only after it.
 * SQLite has only one writer at a time anyway.
 */
export async function lockPipeline(tx: Transaction, dialect: DialectName, id: number): Promise<void> {
  if (dialect === 'sqlite') return
  await tx.executeQuery(pipelineLock.with(tx, { id }))
}

const pipelineLock = new PreparedStatement((database, { id }: { id: Placeholder<number> }) =>
  database.selectFrom('pipeline').select('id').where('id', '=', id).forNoKeyUpdate(),
)

/** Like `lockPipeline`, but does not wait for another transaction. Returns whether the lock was free. */
export async function tryLockPipeline(tx: Transaction, dialect: DialectName, id: number): Promise<boolean> {
  if (dialect === 'sqlite') return true
  const locked = await tx
    .selectFrom('pipeline')
    .select('id')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst()
  return locked !== undefined
}

/** Locks those of the pipelines that no other transaction has locked. Returns their IDs. */
export async function lockFreePipelines(
  tx: Transaction,
  dialect: DialectName,
  ids: readonly number[],
): Promise<Set<number>> {
  if (dialect === 'sqlite') return new Set(ids)
  const { rows } = await tx.executeQuery(freePipelineLocks.with(tx, { ids: JSON.stringify(ids) }))
  return new Set(rows.map(({ id }) => id))
}

const freePipelineLocks = new PreparedStatement((database, { ids }: { ids: Placeholder<string> }, dialect) =>
  database
    .selectFrom('pipeline')
    .select('id')
    .where(isInJson(dialect, sql.ref('id'), ids))
    .forNoKeyUpdate()
    .skipLocked(),
)

/** Locks the creation of pipelines of the project until `tx` ends. Taken before any pipeline lock. */
export async function lockProject(tx: Transaction, dialect: DialectName, id: number): Promise<void> {
  if (dialect === 'sqlite') return
  await tx.selectFrom('project').select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

const pipelineById = preparedRead((database, { id }: { id: Placeholder<number> }) =>
  database.selectFrom('pipeline').selectAll().where('id', '=', id),
)

export async function findPipeline(database: Database, id: number): Promise<PipelineRow> {
  const [pipeline] = await pipelineById(database, { id })
  return requireRow(pipeline, 'pipeline', id)
}

/** For `executeTogether`; `ids` is a JSON array. */
export const pipelinesByIds = new PreparedStatement(
  (database, { ids }: { ids: Placeholder<string> }, dialect) =>
    database
      .selectFrom('pipeline')
      .selectAll()
      .where(isInJson(dialect, sql.ref('id'), ids))
      .orderBy('id'),
)

export function findPipelineOfProject(
  database: Database,
  projectId: number,
  id: number,
): Promise<PipelineRow | undefined> {
  return database
    .selectFrom('pipeline')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** A transaction that creates a pipeline does not last this long. In milliseconds. */
const LONG_AGO = DAY

/**
 * Returns which of the pipelines were deleted. A missing pipeline counts only if its id is lower than one
 * that has existed for long, because a higher id may not be committed yet.
 */
export async function deletedPipelines(
  database: Database,
  projectId: number,
  ids: number[],
  now = Date.now(),
): Promise<number[]> {
  const oldest = await database
    .selectFrom('pipeline')
    .select((eb) => eb.fn.max('id').as('id'))
    .where('created_at', '<', now - LONG_AGO)
    .executeTakeFirst()
  const rows = await database
    .selectFrom('pipeline')
    .select('id')
    .where('project_id', '=', projectId)
    .where('id', 'in', ids)
    .execute()
  const existing = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => id < (oldest?.id ?? 0) && !existing.has(id))
}

const projectById = keyedRead('id', (database) => database.selectFrom('project').selectAll())

export async function findProject(database: Database, id: number): Promise<ProjectRow> {
  return requireRow(await projectById(database, id), 'project', id)
}

export async function insertPipeline(tx: Transaction, pipeline: Insertable<PipelineTable>): Promise<number> {
  const { id } = await tx.insertInto('pipeline').values(pipeline).returning('id').executeTakeFirstOrThrow()
  if (pipeline.status !== 'created') emitPipeline(tx, id, pipeline.status)
  return id
}

export async function insertPipelineVariables(
  tx: Transaction,
  variables: Insertable<PipelineVariableTable>[],
): Promise<void> {
  if (variables.length > 0) await tx.insertInto('pipeline_variable').values(variables).execute()
}

/** Makes `to` the user of the pipelines of `from`. */
export async function reassignPipelines(tx: Transaction, from: number, to: number): Promise<void> {
  await tx.updateTable('pipeline').set({ user_id: to }).where('user_id', '=', from).execute()
}

export async function deletePipelineRow(tx: Transaction, id: number): Promise<void> {
  const deleted = await tx
    .deleteFrom('pipeline')
    .where('id', '=', id)
    .returning(['id', 'project_id'])
    .execute()
  for (const pipeline of deleted) emitDeletedPipeline(tx, pipeline)
}

/** Statuses of pipelines that do nothing by themselves: ended, or waiting for a user. */
export const STATUSES_AT_REST = [...COMPLETED_STATUSES, 'manual'] as const

/** Locks a pipeline until the end of the transaction, if it is at rest. Returns whether it is. */
export async function lockAtRest(tx: Transaction, id: number): Promise<boolean> {
  // A write, because the two databases have no common syntax for locks.
  const { numUpdatedRows } = await tx
    .updateTable('pipeline')
    .set(({ ref }) => ({ status: ref('status') }))
    .where('id', '=', id)
    .where('status', 'in', STATUSES_AT_REST)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** A status, and the columns that change with it. */
type PipelineMove = Pick<PipelineRow, 'status' | 'updated_at' | 'started_at' | 'finished_at' | 'duration'>

/** Updates a pipeline if it still has the status `from`. */
export async function movePipeline(
  tx: Transaction,
  id: number,
  from: CompositeStatus,
  move: PipelineMove,
): Promise<void> {
  const { changed } = await pipelineMoves(tx, { id, from, ...move })
  if (changed === 1) emitPipeline(tx, id, move.status)
}

type MovePlaceholders = { [Name in keyof PipelineMove]: Placeholder<PipelineMove[Name]> } & {
  id: Placeholder<number>
  from: Placeholder<CompositeStatus>
}

const pipelineMoves = preparedWrite((database, { id, from, ...move }: MovePlaceholders) =>
  database.updateTable('pipeline').set(move).where('id', '=', id).where('status', '=', from),
)

export interface RunInterval {
  /** Milliseconds since 1970. */
  start: number
  end: number
}

/**
 * The run times of the latest ended jobs of a pipeline, and of pipelines that its trigger jobs waited for.
 * The waiting itself does not count (CI language, 11.2).
 */
export function findRunIntervals(database: Database, pipelineId: number): Promise<RunInterval[]> {
  return runIntervals(database, { pipelineId })
}

const runIntervals = preparedRead((database, { pipelineId }: { pipelineId: Placeholder<number> }) =>
  database
    .withRecursive('awaited', (query) =>
      query
        .selectFrom('pipeline')
        .select('pipeline.id')
        .where('pipeline.id', '=', pipelineId)
        .unionAll((eb) =>
          eb
            .selectFrom('awaited')
            .innerJoin('downstream_pipeline as below', 'below.upstream_pipeline_id', 'awaited.id')
            .innerJoin('job as bridge', 'bridge.id', 'below.upstream_job_id')
            .select('below.pipeline_id as id')
            .where('below.strategy', 'is not', null)
            .where('bridge.retried', '=', false),
        ),
    )
    .selectFrom('awaited')
    .innerJoin('job', 'job.pipeline_id', 'awaited.id')
    .select(['job.started_at as start', 'job.finished_at as end'])
    .where('job.kind', '=', 'build')
    .where('job.retried', '=', false)
    .where('job.started_at', 'is not', null)
    .where('job.finished_at', 'is not', null)
    .$narrowType<{ start: number; end: number }>(),
)

/** Pipelines of a branch or tag, newest first, without child pipelines. */
export function pipelinesOfRef(database: Database, projectId: number, { ref, tag }: StoredRef) {
  return database
    .selectFrom('pipeline')
    .where('project_id', '=', projectId)
    .where('ref', '=', ref)
    .where('tag', '=', tag)
    .where('source', 'not in', DANGLING_SOURCES)
    .orderBy('id', 'desc')
}

/** Undefined if it was deleted in the meantime. */
export function renamePipeline(
  database: Database,
  id: number,
  name: string,
): Promise<PipelineRow | undefined> {
  return inTransaction(database, async (tx) => {
    emitPipelineChange(tx, id)
    return tx
      .updateTable('pipeline')
      .set({ name, updated_at: Date.now() })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
  })
}

export async function recordAutoCanceled(
  tx: Transaction,
  pipelineId: number,
  newerId: number,
): Promise<void> {
  emitPipelineChange(tx, pipelineId)
  await tx
    .updateTable('pipeline')
    .set({ auto_canceled_by_id: newerId, updated_at: Date.now() })
    .where('id', '=', pipelineId)
    .execute()
}
