import { type Selectable, sql } from 'kysely'

import type { Project, User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { rulesNaming } from '../../database/named-in-rules.js'
import { setMissingDefaultBranch, setProjectColumns } from '../../database/stores/project-store.js'
import type { BulkChange, PushTable, RefChange } from '../../database/tables/repositories.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { insertProtectedRef } from '../protected-ref-store.js'
import { defaultBranchLevels } from './default-branch-rule.js'
import { ChangeResolvedError } from './errors.js'

export type Push = Selectable<PushTable>

export function insertPush(
  database: Database,
  push: {
    projectId: number
    userId: number
    changes: RefChange[]
    bulk: BulkChange[]
    options: string[]
  },
): Promise<Push> {
  return database
    .insertInto('push')
    .values({
      project_id: push.projectId,
      user_id: push.userId,
      changes: JSON.stringify(push.changes),
      bulk: JSON.stringify(push.bulk),
      options: JSON.stringify(push.options),
      created_at: Date.now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

function findPush(database: Database, id: number): Promise<Push | undefined> {
  return database.selectFrom('push').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Pushes that are due for another attempt and have fewer than `maxAttempts` failed ones. */
export function listDuePushes(database: Database, now: number, maxAttempts: number): Promise<Push[]> {
  return database
    .selectFrom('push')
    .selectAll()
    .where('attempts', '<', maxAttempts)
    .where(({ eb, or }) => or([eb('next_attempt_at', 'is', null), eb('next_attempt_at', '<=', now)]))
    .orderBy('id')
    .execute()
}

/** Counts a failed attempt. False if another coordinator has counted it, or the push is finished. */
export async function postponePush(database: Database, push: Push, until: number): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('push')
    .set({ attempts: push.attempts + 1, next_attempt_at: until })
    .where('id', '=', push.id)
    .where('attempts', '=', push.attempts)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Deletes one ref of a push, and the push with its last ref. Throws `ChangeResolvedError`, which rolls the
 * transaction back, if another worker was first. So each ref of a push is processed by one worker only.
 */
export async function resolveChange(tx: Transaction, pushId: number, ref: string): Promise<void> {
  const push = await findPush(tx, pushId)
  const rest = push?.changes.filter((change) => change.ref !== ref)
  if (!push || rest?.length === push.changes.length) throw new ChangeResolvedError(ref)
  const { numUpdatedRows } = await tx
    .updateTable('push')
    .set({ changes: JSON.stringify(rest) })
    .where('id', '=', pushId)
    .where(sql<boolean>`changes = ${JSON.stringify(push.changes)}`)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new ChangeResolvedError(ref)
  if (rest?.length === 0 && push.bulk.length === 0) await deletePush(tx, pushId)
}

/**
 * Keeps only `rest` of the activities of a push, and deletes a push without other work. Throws `ChangeResolvedError`
 * if another worker was first.
 */
export async function resolveBulk(tx: Transaction, push: Push, rest: BulkChange[]): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('push')
    .set({ bulk: JSON.stringify(rest) })
    .where('id', '=', push.id)
    .where(sql<boolean>`bulk = ${JSON.stringify(push.bulk)}`)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new ChangeResolvedError('activities')
  if (rest.length === 0 && push.changes.length === 0) await deletePush(tx, push.id)
}

export async function deletePush(database: Database, id: number): Promise<void> {
  await database.deleteFrom('push').where('id', '=', id).execute()
}

export function findProject(database: Database, id: number): Promise<Project | undefined> {
  return database.selectFrom('project').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function listProjectIds(database: Database): Promise<number[]> {
  const rows = await database.selectFrom('project').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

export function findUser(database: Database, id: number): Promise<User | undefined> {
  return database.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function touchProject(database: Database, id: number): Promise<void> {
  await setProjectColumns(database, id, { last_activity_at: Date.now() })
}

export interface ProtectedRef {
  kind: 'branch' | 'tag'
  /** A name, or a wildcard pattern with `*`. */
  name: string
  /** 0 = no one. */
  push_access_level: number
  allow_force_push: boolean
  /** Whether changes of files with owners need their approvals. */
  code_owner_approval_required?: boolean
  /** Whether the rule names the pusher or a group of theirs, which allows the push whatever the role. */
  namesPusher?: boolean
}

export type ProtectedRefRow = ProtectedRef & { merge_access_level: number }

/** Protection rules of a project, resolved for one user or for an anonymous caller. */
export async function listProtectedRefs(
  database: Database,
  projectId: number,
  userId: number | undefined,
): Promise<ProtectedRefRow[]> {
  const rules = await database
    .selectFrom('protected_ref')
    .select(['id', 'kind', 'name', 'push_access_level', 'merge_access_level', 'allow_force_push'])
    .select('code_owner_approval_required')
    .where('project_id', '=', projectId)
    .execute()
  const naming =
    userId === undefined
      ? new Set<number>()
      : await rulesNaming(database, { projectId, userId, actions: ['push'] })
  return rules.map(({ id, ...rule }) => ({ ...rule, namesPusher: naming.has(id) }))
}

/** Makes the branch the default branch and protects it as configured, unless the project has a default branch. */
export function setFirstDefaultBranch(
  database: Database,
  projectId: number,
  branch: string,
): Promise<boolean> {
  return inTransaction(database, async (tx) => {
    if (!(await setMissingDefaultBranch(tx, projectId, branch))) return false
    const levels = await defaultBranchLevels(tx, projectId)
    const rule = { project_id: projectId, kind: 'branch', name: branch, created_at: Date.now() } as const
    if (levels) await insertProtectedRef(tx, { ...rule, ...levels })
    return true
  })
}
