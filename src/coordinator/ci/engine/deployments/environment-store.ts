import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'

import { chunks } from '../../../../lib/chunks.js'
import type { Database, DialectName } from '../../../database/connect.js'
import { deleteDependents, deleteMatching } from '../../../database/delete-in-steps.js'
import type { EnvironmentTable } from '../../../database/tables/environments.js'
import type { Transaction } from '../../../database/transaction.js'

export type EnvironmentRow = Selectable<EnvironmentTable>

const NAMES_PER_STATEMENT = 500

export function findEnvironment(database: Database, id: number): Promise<EnvironmentRow | undefined> {
  return database.selectFrom('environment').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Ids of the existing environments, by name. */
export async function environmentIds(
  database: Database,
  projectId: number,
  names: string[],
): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (const some of chunks(names, NAMES_PER_STATEMENT)) {
    const rows = await database
      .selectFrom('environment')
      .select(['id', 'name'])
      .where('project_id', '=', projectId)
      .where('name', 'in', some)
      .execute()
    for (const { id, name } of rows) ids.set(name, id)
  }
  return ids
}

/**
 * Skips environments whose name or slug is taken. The statement names no conflict target, because PostgreSQL
 * would then report a conflict on the other column as an error under concurrency.
 */
export async function insertEnvironments(
  tx: Transaction,
  environments: Insertable<EnvironmentTable>[],
): Promise<void> {
  for (const some of chunks(environments, NAMES_PER_STATEMENT)) {
    await tx
      .insertInto('environment')
      .values(some)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** Locks the environment until `tx` ends; undefined if it no longer exists. */
export function lockEnvironment(
  tx: Transaction,
  dialect: DialectName,
  id: number,
): Promise<EnvironmentRow | undefined> {
  return tx
    .selectFrom('environment')
    .selectAll()
    .where('id', '=', id)
    .$if(dialect !== 'sqlite', (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
}

export function updateEnvironment(
  database: Database,
  id: number,
  changes: Updateable<EnvironmentTable>,
): Promise<EnvironmentRow | undefined> {
  return database
    .updateTable('environment')
    .set({ updated_at: Date.now(), ...changes })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export function findDueEnvironments(
  database: Database,
  now: number,
): Promise<Pick<EnvironmentRow, 'id' | 'auto_stop_user_id'>[]> {
  return database
    .selectFrom('environment')
    .select(['id', 'auto_stop_user_id'])
    .where('auto_stop_at', '<=', now)
    .where('state', '=', 'available')
    .orderBy('auto_stop_at')
    .execute()
}

/** Milliseconds since 1970; undefined if no environment must be stopped after `now`. */
export async function findNextStop(database: Database, now: number): Promise<number | undefined> {
  const { next } = await database
    .selectFrom('environment')
    .select((eb) => eb.fn.min('auto_stop_at').as('next'))
    .where('auto_stop_at', '>', now)
    .where('state', '=', 'available')
    .executeTakeFirstOrThrow()
  return next ?? undefined
}

export function insertEnvironment(
  database: Database,
  values: Insertable<EnvironmentTable>,
): Promise<EnvironmentRow> {
  return database.insertInto('environment').values(values).returningAll().executeTakeFirstOrThrow()
}

export async function deleteEnvironmentRow(database: Database, id: number): Promise<void> {
  await deleteDependents(database, 'environment', id)
  await database.deleteFrom('environment').where('id', '=', id).execute()
}

/** Deletes a stopped environment. Returns whether it was stopped. */
export async function deleteStoppedEnvironment(database: Database, id: number): Promise<boolean> {
  return (await deleteMatching(database, 'environment', sql`id = ${id} and state = 'stopped'`)) === 1
}
