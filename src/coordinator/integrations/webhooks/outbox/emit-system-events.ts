import type { Selectable } from 'kysely'

import { isoSeconds } from '../../../../lib/iso-seconds.js'
import { OWNER } from '../../../access/access-levels.js'
import type { Database } from '../../../database/connect.js'
import type { ProjectTable } from '../../../database/tables/projects.js'
import type { UserTable } from '../../../database/tables/users.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { recordProject } from '../../activity-events/record-activity.js'
import { systemHooks } from '../hook-store.js'
import { emitToGroupHooks } from './emit-to-group-hooks.js'
import { storeEvents } from './outbox.js'

type Project = Selectable<ProjectTable>
type User = Selectable<UserTable>

/** Replaces an e-mail address that is not public. */
export const HIDDEN_EMAIL = '[REDACTED]'

/**
 * Emits a system event when `tx` commits. `describe` builds the payload and is not called without subscribed
 * hooks (API, K6).
 */
export function emitSystemEvent(tx: Transaction, describe: () => Promise<object>): Promise<void> {
  return emitSystemEvents(tx, async () => [await describe()])
}

/** As `emitSystemEvent`, for several events, in their order. */
export async function emitSystemEvents(tx: Transaction, describe: () => Promise<object[]>): Promise<void> {
  const hooks = await systemHooks(tx)
  if (hooks.length === 0) return
  const trigger = 'system_events'
  const events = (await describe()).map((facts) => ({ trigger, kind: 'plain', facts, hooks }) as const)
  await storeEvents(
    tx,
    events.map((event) => ({ ...event, projectId: null })),
  )
}

export type ProjectEvent =
  | { name: 'project_create' | 'project_destroy' | 'project_update' }
  | { name: 'project_rename' | 'project_transfer'; redirect: string }

/**
 * Emits a project event when `tx` commits: to the system hooks, and the creation or deletion to the hooks of
 * the groups above. `project`: after the event, or before its deletion.
 */
export async function emitProjectEvents(
  tx: Transaction,
  event: ProjectEvent,
  project: Project,
): Promise<void> {
  const { name } = event
  if (name === 'project_create') await recordProject(tx, project)
  await emitSystemEvent(tx, async () => ({
    ...(await projectPayload(tx, name, project)),
    ...('redirect' in event && { old_path_with_namespace: event.redirect }),
  }))
  if (name !== 'project_create' && name !== 'project_destroy') return
  const groupId = project.namespace_id
  await emitToGroupHooks(tx, 'project_events', [groupId], async () => [
    { groupId, facts: await projectPayload(tx, name, project) },
  ])
}

/** Payload of an event of a project (API, K6). */
export async function projectPayload(
  database: Database,
  event_name: ProjectEvent['name'],
  project: Project,
): Promise<object> {
  const owners = await ownersOf(database, project)
  return {
    event_name,
    created_at: isoSeconds(project.created_at),
    updated_at: isoSeconds(project.updated_at),
    name: project.name,
    path: project.path,
    path_with_namespace: project.full_path,
    project_id: project.id,
    project_namespace_id: project.namespace_id,
    ...(await ownerOf(database, project)),
    owners,
    project_visibility: project.visibility,
  }
}

export type UserEvent =
  | { name: 'user_create' | 'user_destroy' | 'user_failed_login' }
  | { name: 'user_rename'; oldUsername: string }

/** `user` after the event, or before the deletion. */
export function emitUserEvents(tx: Transaction, event: UserEvent, user: User): Promise<void> {
  return emitSystemEvent(tx, async () => ({
    event_name: event.name,
    created_at: isoSeconds(user.created_at),
    updated_at: isoSeconds(Date.now()),
    name: user.name,
    email: user.email,
    user_id: user.id,
    username: user.username,
    ...('oldUsername' in event && { old_username: event.oldUsername }),
    ...(event.name === 'user_failed_login' && { state: user.state }),
  }))
}

/**
 * Emits an event for a user who entered the right password but may not sign in; the state of the user shows
 * the reason.
 */
export function emitFailedLogin(database: Database, user: User): Promise<void> {
  return inTransaction(database, (tx) => emitUserEvents(tx, { name: 'user_failed_login' }, user))
}

/** Owner of the project: its group, or the user of its personal namespace. */
async function ownerOf(tx: Database, { namespace_id }: Project) {
  const { kind, name, email } = await tx
    .selectFrom('namespace')
    .leftJoin('user', 'user.id', 'namespace.owner_id')
    .leftJoin('user_profile', 'user_profile.user_id', 'user.id')
    .select(['namespace.kind', 'namespace.name', 'user_profile.public_email as email'])
    .where('namespace.id', '=', namespace_id)
    .executeTakeFirstOrThrow()
  return { owner_name: name, owner_email: kind === 'user' ? email || HIDDEN_EMAIL : '' }
}

async function ownersOf(tx: Database, { id }: Project): Promise<{ name: string; email: string }[]> {
  const rows = await tx
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .leftJoin('user_profile', 'user_profile.user_id', 'user.id')
    .select(['user.name', 'user_profile.public_email as email'])
    .where('member.project_id', '=', id)
    .where('member.access_level', '=', OWNER)
    .orderBy('user.id')
    .execute()
  return rows.map(({ name, email }) => ({ name, email: email || HIDDEN_EMAIL }))
}
