import type { Insertable, Selectable, Updateable } from 'kysely'

import type { Database } from '../../database/connect.js'
import { deleteDependents } from '../../database/delete-in-steps.js'
import type { PipelineRow, ProjectRow, UserRow } from '../../database/tables/pipeline-rows.js'
import type {
  PipelineScheduleTable,
  PipelineScheduleVariableTable,
} from '../../database/tables/pipeline-schedules.js'
import type { Transaction } from '../../database/transaction.js'
import type { Paging } from '../../http/page.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'

export type ScheduleRow = Selectable<PipelineScheduleTable>
export type ScheduleVariableRow = Selectable<PipelineScheduleVariableTable>

export function schedulesOf(database: Database, projectId: number) {
  return database.selectFrom('pipeline_schedule').where('project_id', '=', projectId)
}

/** `active` undefined = all. */
export function listSchedules(
  database: Database,
  projectId: number,
  active: boolean | undefined,
  paging: Paging,
): Promise<Rows<ScheduleRow>> {
  const schedules = schedulesOf(database, projectId).$if(active !== undefined, (query) =>
    query.where('active', '=', active ?? true),
  )
  return listRows(database, schedules, paging, { table: 'pipeline_schedule', column: 'id', direction: 'asc' })
}

export function findSchedule(
  database: Database,
  projectId: number,
  id: number,
): Promise<ScheduleRow | undefined> {
  return database
    .selectFrom('pipeline_schedule')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function insertSchedule(
  database: Database,
  values: Insertable<PipelineScheduleTable>,
): Promise<ScheduleRow> {
  return database.insertInto('pipeline_schedule').values(values).returningAll().executeTakeFirstOrThrow()
}

export function updateSchedule(
  database: Database,
  id: number,
  changes: Updateable<PipelineScheduleTable>,
): Promise<ScheduleRow | undefined> {
  return database
    .updateTable('pipeline_schedule')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Switches off the schedules of an owner. */
export async function deactivateSchedules(tx: Transaction, ownerId: number): Promise<void> {
  await tx.updateTable('pipeline_schedule').set({ active: false }).where('owner_id', '=', ownerId).execute()
}

/** Makes `to` the owner of the schedules of `from`. */
export async function reassignSchedules(tx: Transaction, from: number, to: number): Promise<void> {
  await tx.updateTable('pipeline_schedule').set({ owner_id: to }).where('owner_id', '=', from).execute()
}

export async function deleteScheduleRow(database: Database, id: number): Promise<void> {
  await deleteDependents(database, 'pipeline_schedule', id)
  await database.deleteFrom('pipeline_schedule').where('id', '=', id).execute()
}

/** The earliest first. */
export function findDueSchedules(database: Database, now: number): Promise<ScheduleRow[]> {
  return database
    .selectFrom('pipeline_schedule')
    .selectAll()
    .where('next_run_at', '<=', now)
    .where('active', '=', true)
    .orderBy('next_run_at')
    .orderBy('id')
    .execute()
}

/** Milliseconds since 1970; undefined if no active schedule is due after `now`. */
export async function findNextRun(database: Database, now: number): Promise<number | undefined> {
  const { next } = await database
    .selectFrom('pipeline_schedule')
    .select((eb) => eb.fn.min('next_run_at').as('next'))
    .where('next_run_at', '>', now)
    .where('active', '=', true)
    .executeTakeFirstOrThrow()
  return next ?? undefined
}

/**
 * Updates a due schedule of the same owner, unless another process has taken the run. Returns whether it did.
 */
export async function claimDueRun(
  database: Database,
  { id, next_run_at, owner_id, ref, updated_at }: ScheduleRow,
  changes: Updateable<PipelineScheduleTable>,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('pipeline_schedule')
    .set(changes)
    .where('id', '=', id)
    .where('next_run_at', '=', next_run_at)
    .where('owner_id', '=', owner_id)
    .where('ref', '=', ref)
    .where('updated_at', '=', updated_at)
    .where('active', '=', true)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Records a manual run of a schedule, unless one was recorded after `since`. Returns whether it did. */
export async function claimManualRun(
  database: Database,
  id: number,
  since: number,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('pipeline_schedule')
    .set({ played_at: now })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('played_at', 'is', null), eb('played_at', '<=', since)]))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export function variablesOfSchedule(database: Database, scheduleId: number): Promise<ScheduleVariableRow[]> {
  return database
    .selectFrom('pipeline_schedule_variable')
    .selectAll()
    .where('schedule_id', '=', scheduleId)
    .orderBy('id')
    .execute()
}

export function findScheduleVariable(
  database: Database,
  scheduleId: number,
  key: string,
): Promise<ScheduleVariableRow | undefined> {
  return database
    .selectFrom('pipeline_schedule_variable')
    .selectAll()
    .where('schedule_id', '=', scheduleId)
    .where('key', '=', key)
    .executeTakeFirst()
}

export function insertScheduleVariable(
  database: Database,
  values: Insertable<PipelineScheduleVariableTable>,
): Promise<ScheduleVariableRow> {
  return database
    .insertInto('pipeline_schedule_variable')
    .values(values)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function updateScheduleVariable(
  database: Database,
  scheduleId: number,
  key: string,
  changes: Updateable<PipelineScheduleVariableTable>,
): Promise<ScheduleVariableRow | undefined> {
  return database
    .updateTable('pipeline_schedule_variable')
    .set(changes)
    .where('schedule_id', '=', scheduleId)
    .where('key', '=', key)
    .returningAll()
    .executeTakeFirst()
}

export function deleteScheduleVariableRow(
  database: Database,
  scheduleId: number,
  key: string,
): Promise<ScheduleVariableRow | undefined> {
  return database
    .deleteFrom('pipeline_schedule_variable')
    .where('schedule_id', '=', scheduleId)
    .where('key', '=', key)
    .returningAll()
    .executeTakeFirst()
}

/** The newest first. */
export async function listPipelinesOfSchedule(
  database: Database,
  scheduleId: number,
  paging: Paging,
): Promise<Rows<PipelineRow>> {
  const pipelines = database.selectFrom('pipeline').where('pipeline_schedule_id', '=', scheduleId)
  return listRows(database, pipelines, paging, { table: 'pipeline', column: 'id', direction: 'desc' })
}

/** The newest pipeline of each of these schedules that has one. */
export async function findLastPipelinesOfSchedules(
  database: Database,
  scheduleIds: readonly number[],
): Promise<Map<number, PipelineRow>> {
  if (scheduleIds.length === 0) return new Map()
  const newest = database
    .selectFrom('pipeline')
    .select((eb) => eb.fn.max('id').as('id'))
    .where('pipeline_schedule_id', 'in', scheduleIds)
    .groupBy('pipeline_schedule_id')
  const rows = await database.selectFrom('pipeline').selectAll().where('id', 'in', newest).execute()
  return new Map(rows.map((row) => [row.pipeline_schedule_id ?? 0, row]))
}

export function findProject(database: Database, id: number): Promise<ProjectRow> {
  return database.selectFrom('project').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

export function findOwner(database: Database, id: number): Promise<UserRow> {
  return database.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}
