import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'

import type { Database, DialectName } from '../../database/connect.js'
import type { CommitStatusTable } from '../../database/tables/commit-statuses.js'
import type { PipelineRow } from '../../database/tables/pipeline-rows.js'
import type { Transaction } from '../../database/transaction.js'
import { emitPipelineChange } from './engine-events.js'
import { DANGLING_SOURCES } from './pipeline-source.js'
import type { StoredRef } from './stored-ref.js'

export type CommitStatusRow = Selectable<CommitStatusTable>

/** After every stage that a CI file can define. */
const EXTERNAL_STAGE = { name: 'external', position: 1_000_000 }

/** The pipeline of a commit with this id, or the newest one, optionally only for one ref. */
export function findPipelineOfCommit(
  database: Database,
  { projectId, sha, on, pipelineId }: { projectId: number; sha: string } & PipelineChoice,
): Promise<PipelineRow | undefined> {
  return (
    database
      .selectFrom('pipeline')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('sha', '=', sha)
      .$if(on !== undefined, (query) =>
        query.where('ref', '=', on?.ref ?? '').where('tag', '=', on?.tag ?? false),
      )
      // A child pipeline belongs to its parent, so it is selected only by id.
      .$if(pipelineId === undefined, (query) => query.where('source', 'not in', DANGLING_SOURCES))
      .$if(pipelineId !== undefined, (query) => query.where('id', '=', pipelineId ?? 0))
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
  )
}

export interface PipelineChoice {
  on?: StoredRef | undefined
  pipelineId?: number | undefined
}

/** Returns the id of the stage for external statuses of a pipeline. Creates the stage if needed. */
export async function externalStage(tx: Transaction, pipelineId: number): Promise<number> {
  const present = await tx
    .selectFrom('stage')
    .select('id')
    .where('pipeline_id', '=', pipelineId)
    .where('position', '=', EXTERNAL_STAGE.position)
    .executeTakeFirst()
  if (present) return present.id
  const { id } = await tx
    .insertInto('stage')
    .values({ ...EXTERNAL_STAGE, pipeline_id: pipelineId, status: 'created' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** The latest of this name. */
export function findCommitStatus(
  database: Database,
  pipelineId: number,
  name: string,
): Promise<CommitStatusRow | undefined> {
  return database
    .selectFrom('commit_status')
    .selectAll()
    .where('pipeline_id', '=', pipelineId)
    .where('name', '=', name)
    .where('retried', '=', false)
    .executeTakeFirst()
}

/** Replaces the latest status with this name. */
export async function insertCommitStatus(
  tx: Transaction,
  dialect: DialectName,
  row: Insertable<CommitStatusTable>,
): Promise<CommitStatusRow> {
  await tx
    .updateTable('commit_status')
    .set({ retried: true })
    .where('pipeline_id', '=', row.pipeline_id)
    .where('name', '=', row.name)
    .where('retried', '=', false)
    .execute()
  const id = await nextNumber(tx, dialect)
  emitPipelineChange(tx, row.pipeline_id)
  return tx
    .insertInto('commit_status')
    .values({ ...row, id })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * The next number from the sequence of job ids: both kinds appear in the statuses of a commit, where clients
 * identify them by id.
 */
async function nextNumber(tx: Transaction, dialect: DialectName): Promise<number> {
  const next =
    dialect === 'sqlite'
      ? sql<{ id: number }>`update sqlite_sequence set seq = seq + 1 where name = 'job' returning seq as id`
      : sql<{ id: number }>`select nextval(pg_get_serial_sequence('job', 'id')) as id`
  const [row] = (await next.execute(tx)).rows
  if (!row) throw new Error('The store has lost the number of the last job')
  return row.id
}

export async function updateCommitStatus(
  tx: Transaction,
  id: number,
  changes: Updateable<CommitStatusTable>,
): Promise<CommitStatusRow> {
  const status = await tx
    .updateTable('commit_status')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  emitPipelineChange(tx, status.pipeline_id)
  return status
}

/** The current external statuses of a pipeline, without replaced ones. */
export function findLatestCommitStatuses(
  database: Database,
  pipelineId: number,
): Promise<Pick<CommitStatusRow, 'stage_id' | 'status' | 'coverage'>[]> {
  return database
    .selectFrom('commit_status')
    .select(['stage_id', 'status', 'coverage'])
    .where('pipeline_id', '=', pipelineId)
    .where('retried', '=', false)
    .execute()
}

/** Makes `to` the user of the commit statuses of `from`. */
export async function reassignCommitStatuses(tx: Transaction, from: number, to: number): Promise<void> {
  await tx.updateTable('commit_status').set({ user_id: to }).where('user_id', '=', from).execute()
}

/** Cancels them together with the jobs of a pipeline (CI language, 12.4). */
export async function cancelCommitStatuses(tx: Transaction, pipelineId: number): Promise<void> {
  const now = Date.now()
  const { numUpdatedRows } = await tx
    .updateTable('commit_status')
    .set({ status: 'canceled', finished_at: now, updated_at: now })
    .where('pipeline_id', '=', pipelineId)
    .where('status', 'in', ['pending', 'running'])
    .executeTakeFirst()
  if (numUpdatedRows > 0n) emitPipelineChange(tx, pipelineId)
}
