import { sql } from 'kysely'

import type { User } from '../../../access/caller.js'
import type { Deletions } from '../../../background/deletions.js'
import type { Database } from '../../../database/connect.js'
import { deleteDependents, replaceInSteps } from '../../../database/delete-in-steps.js'
import { lockRow, lockRows } from '../../../database/lock-row.js'
import { deleteTokensOfUser } from '../../../database/stores/access-token-store.js'
import { deleteNamespace, deletePersonalNamespace } from '../../../database/stores/namespace-store.js'
import { deleteSessionsOfUser } from '../../../database/stores/web-session-store.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { deleteStarsOfUser } from '../../../hosting/projects/stars/star-store.js'
import { deleteReleasesOfAuthor } from '../../../hosting/release-store.js'
import { apiError, notFound } from '../../../http/errors.js'
import { emitGroupEvents } from '../../../integrations/webhooks/outbox/emit-group-events.js'
import { emitKeyEvents } from '../../../integrations/webhooks/outbox/emit-key-events.js'
import { emitMemberEvents } from '../../../integrations/webhooks/outbox/emit-member-events.js'
import { emitUserEvents } from '../../../integrations/webhooks/outbox/emit-system-events.js'
import { deleteGrantsOfUser } from '../../oauth-grant-store.js'
import { refuseLastAdministrator } from '../state/last-administrator.js'
import { deleteUserRow, setUserState } from '../store.js'
import { existingUser } from '../users.js'
import { CONTRIBUTIONS, transferContributions } from './contributions.js'
import { ghostId } from './ghost.js'
import { groupsInnermostFirst, soleOwnedGroups } from './owned-groups.js'

/*
 * A user is deleted in several transactions, because projects have files:
 *
 *   recorded, blocked, tokens deleted -> work canceled -> projects (and groups, pipelines) deleted -> the rest reassigned
 *
 * The record (`user_removal`) is deleted with the user row in the last transaction. After an interruption,
 * the task `finishUserDeletions` starts again; completed steps then have nothing to do.
 */

const ONLY_ADMINISTRATOR = apiError('last_administrator')

export interface RemovalDeps {
  database: Database
  /** Cancels the running pipelines and jobs of the user. */
  cancelWork: (userId: number) => Promise<void>
  /** Deletes a project with its files. A missing project is no error. */
  deleteProject: (projectId: number, signal: AbortSignal) => Promise<void>
  deletions: Deletions
  /** Hides a project that is to be deleted. A missing project is no error. */
  hideProject: (projectId: number) => Promise<void>
  /** Deletes the pipelines that the user has started, with their files. */
  deletePipelinesOf: (userId: number, signal: AbortSignal) => Promise<void>
  /** Assigns the issues, merge requests and epics of the user to the ghost user, and deletes their award emoji. */
  reassignPlanning: (tx: Transaction, userId: number, ghost: number) => Promise<void>
  /** Deletes the avatars of a deleted user or group. */
  deleteAvatars: (owner: { kind: 'user' | 'group'; id: number }) => Promise<void>
}

/**
 * Deletes a user with their tokens, keys and personal projects. Pipelines and other contributions are
 * assigned to the ghost user. `hard` deletes them too, and also groups without another owner; without `hard`,
 * such groups cause 409 (API, H).
 */
export async function deleteUser(deps: RemovalDeps, id: number, hard = false): Promise<void> {
  const user = await existingUser(deps.database, id)
  if (user.kind === 'ghost') throw apiError('internal_user_not_removable')
  if (!hard && (await soleOwnedGroups(deps.database, id)).length > 0) {
    throw apiError('sole_group_owner')
  }
  if (!(await recordDeletion(deps.database, user, hard))) throw notFound('User')
  await startDeletion(deps, { user_id: id, hard })
}

/** Deletes a user who is pending approval. */
export async function rejectUser(deps: RemovalDeps, id: number): Promise<{ message: string }> {
  const { state } = await existingUser(deps.database, id)
  if (state !== 'blocked_pending_approval') {
    throw apiError('no_pending_request')
  }
  await deleteUser(deps, id)
  return { message: 'Success' }
}

/** Periodic task: completes interrupted deletions, and deletes bots of deleted projects and groups. */
export async function finishUserDeletions(deps: RemovalDeps): Promise<void> {
  await recordLostBots(deps.database)
  const removals = await deps.database.selectFrom('user_removal').selectAll().orderBy('user_id').execute()
  for (const removal of removals) await startDeletion(deps, removal)
}

function startDeletion(deps: RemovalDeps, removal: Removal): Promise<void> {
  return deps.deletions.start(`user ${removal.user_id}`, (signal) =>
    finishUserDeletion(deps, removal, signal),
  )
}

/** False if another request has deleted the user. */
async function recordDeletion(database: Database, user: User, hard: boolean): Promise<boolean> {
  return inTransaction(database, async (tx) => {
    await refuseLastAdministrator(tx, user, ONLY_ADMINISTRATOR)
    // Lock the user before the record, in the order of `deleteAccount`; the reverse order could deadlock.
    if (!(await lockRow(tx, 'user', user.id))) return false
    await tx
      .insertInto('user_removal')
      .values({ user_id: user.id, hard, created_at: Date.now() })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ hard }))
      .execute()
    await setUserState(tx, user.id, 'blocked')
    await deleteSessionsOfUser(tx, user.id)
    await deleteTokensOfUser(tx, user.id)
    await deleteGrantsOfUser(tx, user.id)
    return true
  })
}

async function recordLostBots(database: Database): Promise<void> {
  const bots = await database
    .selectFrom('bot_user')
    .innerJoin('user', 'user.id', 'bot_user.user_id')
    .selectAll('user')
    .where('bot_user.project_id', 'is', null)
    .where('bot_user.namespace_id', 'is', null)
    .execute()
  for (const bot of bots) await recordDeletion(database, bot, false)
}

interface Removal {
  user_id: number
  hard: boolean
}

async function finishUserDeletion(
  deps: RemovalDeps,
  { user_id, hard }: Removal,
  signal: AbortSignal,
): Promise<void> {
  await deps.cancelWork(user_id)
  await deletePersonalProjects(deps, user_id, signal)
  if (hard) {
    for (const group of await soleOwnedGroups(deps.database, user_id)) await deleteGroup(deps, group, signal)
    await deps.deletePipelinesOf(user_id, signal)
  }
  await deps.deleteAvatars({ kind: 'user', id: user_id })
  const ghost = await ghostId(deps.database)
  for (const [table, column] of IN_STEPS)
    await replaceInSteps(deps.database, { table, column, from: user_id, to: ghost }, signal)
  await deleteDependents(deps.database, 'user', user_id, { except: KEPT, signal })
  await deleteAccount(deps, { user_id, hard }, ghost)
}

/** Contributions that are assigned to the ghost user before the last transaction: a user may have millions of them. */
const IN_STEPS = CONTRIBUTIONS.filter(
  ([table]) => !['project', 'release', 'snippet', 'pipeline_schedule'].includes(table),
)

/** Rows that the last transaction must still find: for the record of the deletion, for events, and those that are kept. */
const KEPT = [
  'user_removal',
  'bot_user',
  'award_emoji',
  'member',
  'project_star',
  'ssh_key',
  'release',
  'pipeline_schedule',
]

async function deletePersonalProjects(deps: RemovalDeps, userId: number, signal: AbortSignal): Promise<void> {
  const projects = await deps.database
    .selectFrom('project')
    .innerJoin('namespace', 'namespace.id', 'project.namespace_id')
    .select('project.id')
    .where('namespace.owner_id', '=', userId)
    .where('namespace.kind', '=', 'user')
    .execute()
  for (const { id } of projects) await deps.hideProject(id)
  for (const { id } of projects) await deps.deleteProject(id, signal)
}

async function deleteGroup(deps: RemovalDeps, groupId: number, signal: AbortSignal): Promise<void> {
  for (const id of await groupsInnermostFirst(deps.database, groupId)) {
    const projects = await deps.database
      .selectFrom('project')
      .select('id')
      .where('namespace_id', '=', id)
      .execute()
    for (const project of projects) await deps.hideProject(project.id)
    for (const project of projects) await deps.deleteProject(project.id, signal)
    await deps.deleteAvatars({ kind: 'group', id })
    await deleteDependents(deps.database, 'namespace', id, { except: ['group_tree'], signal })
    await inTransaction(deps.database, (tx) => deleteEmptyGroup(tx, id))
  }
}

async function deleteEmptyGroup(tx: Transaction, id: number): Promise<void> {
  const group = await deleteNamespace(tx, id)
  if (group) await emitGroupEvents(tx, { name: 'group_destroy' }, group)
}

async function deleteAccount(
  { database, reassignPlanning }: RemovalDeps,
  { user_id, hard }: Removal,
  ghost: number,
): Promise<void> {
  await inTransaction(database, async (tx) => {
    // The lock serializes concurrent deletions; later ones find no user.
    const user = await lockRow(tx, 'user', user_id)
    if (!user) return
    await lockChangedRows(tx, user_id)
    await emitDeletionEvents(tx, user)
    if (hard) await deleteReleasesOfAuthor(tx, user_id)
    await transferContributions(tx, user_id, ghost)
    await reassignPlanning(tx, user_id, ghost)
    await deletePersonalNamespace(tx, user_id)
    await deleteStarsOfUser(tx, user_id)
    await deleteUserRow(tx, user_id)
  })
}

/** Locks rows in the same order as moves and other deletions do. */
async function lockChangedRows(tx: Transaction, userId: number): Promise<void> {
  await lockRows(tx, 'namespace', sql`owner_id = ${userId}`)
  const starred = sql`select project_id from project_star where user_id = ${userId}`
  await lockRows(tx, 'project', sql`creator_id = ${userId} or id in (${starred})`)
}

/** Emits the events of the deletion of the user, with their memberships and keys. */
async function emitDeletionEvents(tx: Transaction, user: User): Promise<void> {
  const memberships = await tx
    .selectFrom('member')
    .selectAll()
    .where('user_id', '=', user.id)
    .orderBy('id')
    .execute()
  await emitMemberEvents(tx, 'removed', memberships)
  const keys = await tx
    .selectFrom('ssh_key')
    .selectAll()
    .where('user_id', '=', user.id)
    .orderBy('id')
    .execute()
  await emitKeyEvents(tx, 'key_destroy', keys)
  await emitUserEvents(tx, { name: 'user_destroy' }, user)
}
