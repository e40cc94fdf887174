import { sql } from 'kysely'

import type { Logger } from '../../../../lib/logger.js'
import type { User } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { lockRow, lockRows } from '../../../database/lock-row.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { conflict, forbidden, notFound } from '../../../http/errors.js'
import { emitGroupEvents } from '../../../integrations/webhooks/outbox/emit-group-events.js'
import { emitKeyEvents } from '../../../integrations/webhooks/outbox/emit-key-events.js'
import { emitMemberEvents } from '../../../integrations/webhooks/outbox/emit-member-events.js'
import { emitUserEvents } from '../../../integrations/webhooks/outbox/emit-system-events.js'
import { refuseLastAdministrator } from '../state/last-administrator.js'
import { existingUser } from '../users.js'
import { transferContributions } from './contributions.js'
import { ghostId } from './ghost.js'
import { groupsWithin, soleOwnedGroups } from './owned-groups.js'

/*
 * Removing somebody takes several transactions, for projects have files:
 *
 *   noted, blocked, without tokens -> work canceled -> projects (and groups, pipelines) deleted -> the rest handed over
 *
 * The note (`user_removal`) goes with the user's row, in the last one. Whatever cuts it off, the task `finishRemovals`
 * takes it up from the start; what is done already is found done.
 */

const ONLY_ADMINISTRATOR = conflict('User cannot be removed while is the only administrator')

export interface RemovalDeps {
  database: Database
  logger: Logger
  /** Ends the pipelines and jobs of the user that are under way. */
  cancelWork: (userId: number) => Promise<void>
  /** With its files. One that is gone already is no error. */
  deleteProject: (projectId: number) => Promise<void>
  /** Those that the user has started, with their files. */
  deletePipelinesOf: (userId: number) => Promise<void>
  /** Of somebody, or of a group, that goes. */
  deleteAvatars: (owner: { kind: 'user' | 'group'; id: number }) => Promise<void>
}

/**
 * Removes a user with all that is theirs alone: tokens, keys, personal projects. Pipelines and the like go to the ghost;
 * `hard`: they are deleted too, as are groups that nobody else owns, for which it is 409 otherwise (API, H).
 */
export async function removeUser(deps: RemovalDeps, id: number, hard = false): Promise<void> {
  const user = await existingUser(deps.database, id)
  if (user.kind === 'ghost') throw forbidden('An internal user cannot be removed')
  if (!hard && (await soleOwnedGroups(deps.database, id)).length > 0) {
    throw conflict('User cannot be removed while is the sole-owner of a group')
  }
  if (!(await recordDeletion(deps.database, user, hard))) throw notFound('User')
  await finishRemoval(deps, { user_id: id, hard })
}

/** Removes somebody who waits to be let in. */
export async function rejectUser(deps: RemovalDeps, id: number): Promise<{ message: string }> {
  const { state } = await existingUser(deps.database, id)
  if (state !== 'blocked_pending_approval') {
    throw conflict('User does not have a pending request')
  }
  await removeUser(deps, id)
  return { message: 'Success' }
}

/** Periodic task: what was cut off, and bots whose project or group has gone. */
export async function finishRemovals(deps: RemovalDeps): Promise<void> {
  await recordLostBots(deps.database)
  const removals = await deps.database.selectFrom('user_removal').selectAll().orderBy('user_id').execute()
  for (const removal of removals) {
    try {
      await finishRemoval(deps, removal)
    } catch (error) {
      deps.logger.error({ err: error, user: removal.user_id }, 'A user is not wholly removed yet')
    }
  }
}

/** False where somebody else has removed the user meanwhile. */
async function recordDeletion(database: Database, user: User, hard: boolean): Promise<boolean> {
  return inTransaction(database, async (tx) => {
    await refuseLastAdministrator(tx, user, ONLY_ADMINISTRATOR)
    // Before the note, in the order of `deleteAccount`: the other would be a deadlock with it.
    if (!(await lockRow(tx, 'user', user.id))) return false
    await tx
      .insertInto('user_removal')
      .values({ user_id: user.id, hard, created_at: Date.now() })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ hard }))
      .execute()
    await tx.updateTable('user').set({ state: 'blocked' }).where('id', '=', user.id).execute()
    await tx.deleteFrom('personal_access_token').where('user_id', '=', user.id).execute()
    await tx.deleteFrom('oauth_grant').where('user_id', '=', user.id).execute()
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

async function finishRemoval(deps: RemovalDeps, { user_id, hard }: Removal): Promise<void> {
  await deps.cancelWork(user_id)
  await deletePersonalProjects(deps, user_id)
  if (hard) {
    for (const group of await soleOwnedGroups(deps.database, user_id)) await deleteGroup(deps, group)
    await deps.deletePipelinesOf(user_id)
  }
  await deps.deleteAvatars({ kind: 'user', id: user_id })
  await deleteAccount(deps.database, { user_id, hard })
}

async function deletePersonalProjects(deps: RemovalDeps, userId: number): Promise<void> {
  const projects = await deps.database
    .selectFrom('project')
    .innerJoin('namespace', 'namespace.id', 'project.namespace_id')
    .select('project.id')
    .where('namespace.owner_id', '=', userId)
    .where('namespace.kind', '=', 'user')
    .execute()
  for (const { id } of projects) await deps.deleteProject(id)
}

async function deleteGroup(deps: RemovalDeps, groupId: number): Promise<void> {
  for (const id of await groupsWithin(deps.database, groupId)) {
    const projects = await deps.database
      .selectFrom('project')
      .select('id')
      .where('namespace_id', '=', id)
      .execute()
    for (const project of projects) await deps.deleteProject(project.id)
    await deps.deleteAvatars({ kind: 'group', id })
    await inTransaction(deps.database, (tx) => deleteEmptyGroup(tx, id))
  }
}

async function deleteEmptyGroup(tx: Transaction, id: number): Promise<void> {
  const group = await tx.deleteFrom('namespace').where('id', '=', id).returningAll().executeTakeFirst()
  if (group) await emitGroupEvents(tx, { name: 'group_destroy' }, group)
}

async function deleteAccount(database: Database, { user_id, hard }: Removal): Promise<void> {
  const ghost = await ghostId(database)
  await inTransaction(database, async (tx) => {
    // Locked: of several who remove somebody at once, the others wait, and then find nobody.
    const user = await lockRow(tx, 'user', user_id)
    if (!user) return
    await lockWhatChanges(tx, user_id)
    await announceEnd(tx, user)
    if (hard) await tx.deleteFrom('release').where('author_id', '=', user_id).execute()
    await transferContributions(tx, user_id, ghost)
    await tx.deleteFrom('namespace').where('owner_id', '=', user_id).where('kind', '=', 'user').execute()
    await takeStars(tx, user_id)
    await tx.deleteFrom('user').where('id', '=', user_id).execute()
  })
}

/** In the order in which others lock them, who move them or remove somebody else. */
async function lockWhatChanges(tx: Transaction, userId: number): Promise<void> {
  await lockRows(tx, 'namespace', sql`owner_id = ${userId}`)
  const starred = sql`select project_id from project_star where user_id = ${userId}`
  await lockRows(tx, 'project', sql`creator_id = ${userId} or id in (${starred})`)
}

async function takeStars(tx: Transaction, userId: number): Promise<void> {
  await tx
    .updateTable('project')
    .set(({ eb }) => ({ star_count: eb('star_count', '-', 1) }))
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('project_star').select('project_id').where('user_id', '=', userId),
    )
    .execute()
  await tx.deleteFrom('project_star').where('user_id', '=', userId).execute()
}

/** Of the user, with the memberships and keys that go along. */
async function announceEnd(tx: Transaction, user: User): Promise<void> {
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
