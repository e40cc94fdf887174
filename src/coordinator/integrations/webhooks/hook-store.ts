import type { Expression, ExpressionBuilder, Insertable, Selectable, SqlBool, Updateable } from 'kysely'

import type { Database } from '../../database/connect.js'
import { hasRowLocks } from '../../database/lock-row.js'
import type { Tables } from '../../database/tables/database-tables.js'
import type { WebHookTable } from '../../database/tables/webhooks.js'
import type { Transaction } from '../../database/transaction.js'
import type { Paging } from '../../http/operation.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'
import { GIVEN_UP_AFTER, type Health } from './hook-health.js'

/** Owner of hooks: the ID of a project, or null for the instance. */
export type HookOwner = number | null

/** Query on the hooks of one owner, without those of integrations. */
export function hooksOf(database: Database, owner: HookOwner) {
  const hooks = database.selectFrom('web_hook').where('integration_id', 'is', null)
  return owner === null ? hooks.where('project_id', 'is', null) : hooks.where('project_id', '=', owner)
}

export function listHooks(database: Database, owner: HookOwner, paging: Paging): Promise<Rows<HookRow>> {
  const order = { table: 'web_hook', column: 'id', direction: 'asc' } as const
  return listRows(database, hooksOf(database, owner), paging, order)
}

export function findHook(database: Database, owner: HookOwner, id: number): Promise<HookRow | undefined> {
  return hooksOf(database, owner).selectAll().where('id', '=', id).executeTakeFirst()
}

export function findHookOfIntegration(
  database: Database,
  integrationId: number,
): Promise<HookRow | undefined> {
  return database
    .selectFrom('web_hook')
    .selectAll()
    .where('integration_id', '=', integrationId)
    .executeTakeFirst()
}

export async function deleteHooksOfIntegration(tx: Transaction, integrationId: number): Promise<void> {
  await tx.deleteFrom('web_hook').where('integration_id', '=', integrationId).execute()
}

export function insertHook(database: Database, values: Insertable<WebHookTable>): Promise<HookRow> {
  return database.insertInto('web_hook').values(values).returningAll().executeTakeFirstOrThrow()
}

export function updateHook(
  database: Database,
  id: number,
  changes: Updateable<WebHookTable>,
): Promise<HookRow | undefined> {
  return database.updateTable('web_hook').set(changes).where('id', '=', id).returningAll().executeTakeFirst()
}

export async function setHookHealth(tx: Transaction, id: number, health: Health): Promise<void> {
  await tx.updateTable('web_hook').set(health).where('id', '=', id).execute()
}

export async function deleteHookRow(database: Database, id: number): Promise<void> {
  await database.deleteFrom('web_hook').where('id', '=', id).execute()
}

export type HookRow = Selectable<WebHookTable>

/** Claims the hook for `owner` until the given time; undefined if another worker holds it. */
export function claimHook(
  database: Database,
  hookId: number,
  owner: string,
  { now, until }: { now: number; until: number },
): Promise<HookRow | undefined> {
  return database
    .updateTable('web_hook')
    .set({ lease_owner: owner, lease_until: until })
    .where('id', '=', hookId)
    .where(({ or, eb }) =>
      or([eb('lease_until', 'is', null), eb('lease_until', '<=', now), eb('lease_owner', '=', owner)]),
    )
    .returningAll()
    .executeTakeFirst()
}

export async function releaseHook(database: Database, hookId: number, owner: string): Promise<void> {
  await database
    .updateTable('web_hook')
    .set({ lease_owner: null, lease_until: null })
    .where('id', '=', hookId)
    .where('lease_owner', '=', owner)
    .execute()
}

type HookCondition = (eb: ExpressionBuilder<Tables, 'web_hook'>) => Expression<SqlBool>

/** Hooks subscribed to events, ordered by ID, without disabled hooks (API, K2). */
export function findListeningHooks(tx: Transaction, condition: HookCondition): Promise<HookRow[]> {
  const now = Date.now()
  return tx
    .selectFrom('web_hook')
    .selectAll()
    .where(condition)
    .where('recent_failures', '<', GIVEN_UP_AFTER)
    .where(({ or, eb }) => or([eb('disabled_until', 'is', null), eb('disabled_until', '<=', now)]))
    .orderBy('id')
    .execute()
}

/** The hooks of one project. */
export function hooksOfProject(tx: Transaction, projectId: number): Promise<HookRow[]> {
  return findListeningHooks(tx, (eb) => eb('project_id', '=', projectId))
}

/** The system hooks. */
export function systemHooks(tx: Transaction): Promise<HookRow[]> {
  return findListeningHooks(tx, (eb) => eb('project_id', 'is', null))
}

/**
 * The hooks that still exist, locked until the transaction ends. A concurrent deletion of a hook must not
 * fail the change that emits the event.
 */
export async function lockHooks(tx: Transaction, ids: number[]): Promise<Set<number>> {
  const hooks = await tx
    .selectFrom('web_hook')
    .select('id')
    .where('id', 'in', [...new Set(ids)])
    .orderBy('id')
    .$if(hasRowLocks(tx), (query) => query.forKeyShare())
    .execute()
  return new Set(hooks.map(({ id }) => id))
}
