import {
  type Compilable,
  type Insertable,
  type RawBuilder,
  type Selectable,
  sql,
  type Updateable,
} from 'kysely'

import type { Database } from '../../database/connect.js'
import { deleteDependents } from '../../database/delete-in-steps.js'
import { isInJson } from '../../database/json-rows.js'
import { hasRowLocks } from '../../database/lock-row.js'
import { preparedRead } from '../../database/prepared-read.js'
import type { Placeholder } from '../../database/prepared-statement.js'
import type { WebHookTable } from '../../database/tables/webhooks.js'
import type { Transaction } from '../../database/transaction.js'
import type { Paging } from '../../http/page.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'
import { GIVEN_UP_AFTER, type Health } from './hook-health.js'

/** Owner of hooks: a project, a group, or null for the instance. */
export type HookOwner = { projectId: number } | { groupId: number } | null

/** Whether a hook is one of the instance. */
export function isSystemHook({ project_id, group_id }: Pick<HookRow, 'project_id' | 'group_id'>): boolean {
  return project_id === null && group_id === null
}

/** Query on the hooks of one owner, without those of integrations and of status checks. */
export function hooksOf(database: Database, owner: HookOwner) {
  const hooks = database
    .selectFrom('web_hook')
    .where('integration_id', 'is', null)
    .where('status_check_id', 'is', null)
  if (owner === null) return hooks.where('project_id', 'is', null).where('group_id', 'is', null)
  return 'groupId' in owner
    ? hooks.where('group_id', '=', owner.groupId)
    : hooks.where('project_id', '=', owner.projectId)
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
  await deleteDependents(database, 'web_hook', id)
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

/** A hook with a project of whose events it receives. */
export type HookOfProject = HookRow & { of_project: number }

/** A hook with a group of whose events it receives. */
export type HookOfGroup = HookRow & { of_group: number }

/** Hooks without the disabled ones (API, K2). `now`: milliseconds since 1970, or a placeholder of them. */
function listening(database: Database, now: number | Placeholder<number> = Date.now()) {
  return database
    .selectFrom('web_hook')
    .selectAll('web_hook')
    .where('recent_failures', '<', GIVEN_UP_AFTER)
    .where(({ or, eb }) => or([eb('disabled_until', 'is', null), eb('disabled_until', '<=', now)]))
}

/**
 * The hooks of projects and of the groups above them, ordered by ID; a hook of a group occurs once for each
 * of the projects. `projects`: a list of IDs or a subquery, in parentheses.
 */
function ofProjects(
  database: Database,
  projects: RawBuilder<number>,
  now: Placeholder<number>,
): Compilable<HookOfProject> {
  // Each part uses an index of its own; conditions joined by `or` would scan the table.
  const own = listening(database, now)
    .innerJoin('project', 'project.id', 'web_hook.project_id')
    .select('project.id as of_project')
    .where('web_hook.project_id', 'in', projects)
    .where('web_hook.status_check_id', 'is', null)
  const ofGroups = listening(database, now)
    .innerJoin('group_tree', 'group_tree.ancestor_id', 'web_hook.group_id')
    .innerJoin('project', 'project.namespace_id', 'group_tree.group_id')
    .select('project.id as of_project')
    .where('project.id', 'in', projects)
  return own.unionAll(ofGroups).orderBy('id')
}

const hooksOfOne = preparedRead(
  (database, { projectId, now }: { projectId: Placeholder<number>; now: Placeholder<number> }) =>
    ofProjects(database, sql`(${projectId})`, now),
)

/** The hooks of one project and of the groups above it. */
export function hooksOfProject(tx: Transaction, projectId: number): Promise<HookOfProject[]> {
  return hooksOfOne(tx, { projectId, now: Date.now() })
}

/** IDs of what pipelines consist of. */
interface PipelineParts {
  jobIds: readonly number[]
  pipelineIds: readonly number[]
  deploymentIds: readonly number[]
}

interface PartsHoles extends Record<keyof PipelineParts, Placeholder<string>> {
  now: Placeholder<number>
  [name: string]: Placeholder<unknown>
}

const hooksOfParts = preparedRead(
  (database, { jobIds, pipelineIds, deploymentIds, now }: PartsHoles, dialect) =>
    ofProjects(
      database,
      sql`(
        select project_id from job where ${isInJson(dialect, sql.ref('id'), jobIds)}
        union select project_id from pipeline where ${isInJson(dialect, sql.ref('id'), pipelineIds)}
        union select project_id from deployment where ${isInJson(dialect, sql.ref('id'), deploymentIds)})`,
      now,
    ),
)

/** The hooks of the projects of jobs, pipelines and deployments, and of the groups above them. */
export function hooksOfPipelineParts(
  tx: Transaction,
  { jobIds, pipelineIds, deploymentIds }: PipelineParts,
): Promise<HookOfProject[]> {
  return hooksOfParts(tx, {
    jobIds: JSON.stringify(jobIds),
    pipelineIds: JSON.stringify(pipelineIds),
    deploymentIds: JSON.stringify(deploymentIds),
    now: Date.now(),
  })
}

/** The hooks of groups and of the groups above them, ordered by ID. At most 500 groups. */
export function hooksOfGroups(tx: Transaction, groupIds: readonly number[]): Promise<HookOfGroup[]> {
  return listening(tx)
    .innerJoin('group_tree', 'group_tree.ancestor_id', 'web_hook.group_id')
    .select('group_tree.group_id as of_group')
    .where('group_tree.group_id', 'in', groupIds)
    .orderBy('web_hook.id')
    .execute()
}

/** The hook of a status check, with a protected branch for which the check is; null for one that is for all. */
export interface StatusCheckHook {
  id: number
  status_check_id: number
  branch: string | null
}

/** The hooks of the status checks of a project, once for each branch. */
export async function hooksOfStatusChecks(tx: Transaction, projectId: number): Promise<StatusCheckHook[]> {
  const rows = await listening(tx)
    .leftJoin(
      'external_status_check_branch as of_branch',
      'of_branch.status_check_id',
      'web_hook.status_check_id',
    )
    .leftJoin('protected_ref', 'protected_ref.id', 'of_branch.protected_ref_id')
    .select('protected_ref.name as branch')
    .where('web_hook.project_id', '=', projectId)
    .where('web_hook.status_check_id', 'is not', null)
    .orderBy('web_hook.id')
    .execute()
  return rows.flatMap(({ id, status_check_id, branch }) =>
    status_check_id === null ? [] : [{ id, status_check_id, branch }],
  )
}

export function findHookOfStatusCheck(
  database: Database,
  statusCheckId: number,
): Promise<HookRow | undefined> {
  return database
    .selectFrom('web_hook')
    .selectAll()
    .where('status_check_id', '=', statusCheckId)
    .executeTakeFirst()
}

/** The hooks of status checks, by the IDs of the checks. */
export async function hooksByStatusCheck(
  database: Database,
  statusCheckIds: readonly number[],
): Promise<Map<number, HookRow>> {
  if (statusCheckIds.length === 0) return new Map()
  const rows = await database
    .selectFrom('web_hook')
    .selectAll()
    .where('status_check_id', 'in', statusCheckIds)
    .execute()
  return new Map(rows.map((row) => [row.status_check_id ?? 0, row]))
}

/** The system hooks. */
export function systemHooks(tx: Transaction): Promise<HookRow[]> {
  return listening(tx).where('project_id', 'is', null).where('group_id', 'is', null).orderBy('id').execute()
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
