import type { Selectable } from 'kysely'

import { chunks } from '../../../../lib/chunks.js'
import { isoSeconds } from '../../../../lib/iso-seconds.js'
import { LEVEL_NAMES } from '../../../access/level-names.js'
import type { Database } from '../../../database/connect.js'
import type { MemberTable } from '../../../database/tables/members.js'
import type { Transaction } from '../../../database/transaction.js'
import { type MemberAction, recordMembers } from '../../activity-events/record-activity.js'
import { emitSystemEvents, HIDDEN_EMAIL } from './emit-system-events.js'
import { emitToGroupHooks, type GroupHookEvent } from './emit-to-group-hooks.js'

/** A membership in a project or a group. */
export type Membership = Pick<
  Selectable<MemberTable>,
  'project_id' | 'group_id' | 'user_id' | 'access_level' | 'expires_at' | 'created_at'
>

/** `expired`: the membership ended at its expiry date, without an author. */
export type MemberChange = 'added' | 'updated' | 'removed' | 'expired'

const EVENTS: Record<'team' | 'group', Record<MemberChange, string>> = {
  team: {
    added: 'user_add_to_team',
    updated: 'user_update_for_team',
    removed: 'user_remove_from_team',
    expired: 'user_remove_from_team',
  },
  group: {
    added: 'user_add_to_group',
    updated: 'user_update_for_group',
    removed: 'user_remove_from_group',
    expired: 'user_remove_from_group',
  },
}

/** The action names in event lists; other changes are not listed. */
const ACTIONS: Partial<Record<MemberChange, MemberAction>> = {
  added: 'joined',
  removed: 'left',
  expired: 'expired',
}

/** Maximum number of IDs per statement in both databases. */
const IDS_PER_QUERY = 500

/**
 * Records membership changes, and emits them when `tx` commits: to the system hooks (API, K6), and those of
 * groups to the hooks of the groups and of the groups above. The state is the one after the change, or before
 * the removal. Users, projects and groups must still exist.
 */
export async function emitMemberEvents(
  tx: Transaction,
  change: MemberChange,
  memberships: readonly Membership[],
): Promise<void> {
  const action = ACTIONS[change]
  if (action) await recordMembers(tx, action, memberships)
  await emitSystemEvents(tx, async () => {
    const events: object[] = []
    for (const some of chunks(memberships, IDS_PER_QUERY)) {
      events.push(...(await describe(tx, change, some)).map(({ payload }) => payload))
    }
    return events
  })
  const groupIds = memberships.flatMap(({ group_id }) => group_id ?? [])
  await emitToGroupHooks(tx, 'member_events', groupIds, async () => {
    const events: GroupHookEvent[] = []
    for (const some of chunks(memberships, IDS_PER_QUERY)) {
      events.push(...(await describeGroupMembers(tx, change, some)))
    }
    return events
  })
}

/** The payloads for the hooks of groups; memberships in projects have none. */
export async function describeGroupMembers(
  tx: Database,
  change: MemberChange,
  memberships: readonly Membership[],
): Promise<GroupHookEvent[]> {
  const described = await describe(tx, change, memberships)
  return described.flatMap(({ membership: { group_id, expires_at }, payload }) => {
    const expiry = expires_at === null ? null : isoSeconds(expires_at)
    return group_id === null
      ? []
      : [{ groupId: group_id, facts: { ...payload, group_plan: null, expires_at: expiry } }]
  })
}

/**
 * Emits an event for an access request to a project: `made` when it is created, `revoked` when it is
 * withdrawn or denied.
 */
export function emitAccessRequestEvent(
  tx: Transaction,
  change: 'made' | 'revoked',
  request: Membership & { project_id: number },
): Promise<void> {
  const event_name =
    change === 'made' ? 'user_access_request_to_project' : 'user_access_request_revoked_for_project'
  return emitSystemEvents(tx, async () => {
    const events = await describe(tx, 'added', [request])
    return events.map(({ payload }) => ({ ...payload, event_name }))
  })
}

interface Described {
  membership: Membership
  payload: object
}

async function describe(
  tx: Database,
  change: MemberChange,
  memberships: readonly Membership[],
): Promise<Described[]> {
  const userIds = memberships.map(({ user_id }) => user_id)
  const projectIds = memberships.flatMap(({ project_id }) => project_id ?? [])
  const groupIds = memberships.flatMap(({ group_id }) => group_id ?? [])
  const users = await usersWith(tx, userIds)
  const projects = await projectsWith(tx, projectIds)
  const groups = await groupsWith(tx, groupIds)
  const now = isoSeconds(Date.now())
  return memberships.flatMap((membership): Described[] => {
    const { access_level, created_at } = membership
    const user = users.get(membership.user_id)
    const project = projects.get(membership.project_id ?? 0)
    const group = groups.get(membership.group_id ?? 0)
    const level = LEVEL_NAMES.get(access_level) ?? String(access_level)
    const times = { created_at: isoSeconds(created_at), updated_at: now }
    if (project) {
      const event_name = EVENTS.team[change]
      return [{ membership, payload: { event_name, ...times, access_level: level, ...project, ...user } }]
    }
    if (!group) return []
    const event_name = EVENTS.group[change]
    return [{ membership, payload: { event_name, ...times, group_access: level, ...group, ...user } }]
  })
}

async function usersWith(tx: Database, ids: number[]): Promise<Map<number, object>> {
  const rows = await tx
    .selectFrom('user')
    .leftJoin('user_profile', 'user_profile.user_id', 'user.id')
    .select(['user.id', 'user.name', 'user.username', 'user_profile.public_email as email'])
    .where('user.id', 'in', ids)
    .execute()
  const facts = rows.map(({ id, name, username, email }) => ({
    user_id: id,
    user_name: name,
    user_username: username,
    user_email: email || HIDDEN_EMAIL,
  }))
  return new Map(facts.map((user) => [user.user_id, user]))
}

async function projectsWith(tx: Database, ids: number[]): Promise<Map<number, object>> {
  if (ids.length === 0) return new Map()
  const rows = await tx
    .selectFrom('project')
    .select(['id', 'name', 'path', 'full_path', 'visibility'])
    .where('id', 'in', ids)
    .execute()
  const facts = rows.map(({ id, name, path, full_path, visibility }) => ({
    project_id: id,
    project_name: name,
    project_path: path,
    project_path_with_namespace: full_path,
    project_visibility: visibility,
  }))
  return new Map(facts.map((project) => [project.project_id, project]))
}

async function groupsWith(tx: Database, ids: number[]): Promise<Map<number, object>> {
  if (ids.length === 0) return new Map()
  const rows = await tx
    .selectFrom('namespace')
    .select(['id', 'name', 'path'])
    .where('id', 'in', ids)
    .execute()
  const facts = rows.map(({ id, name, path }) => ({ group_id: id, group_name: name, group_path: path }))
  return new Map(facts.map((group) => [group.group_id, group]))
}
