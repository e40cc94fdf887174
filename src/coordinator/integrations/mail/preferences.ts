import type { Selectable } from 'kysely'

import type { Database } from '../../database/connect.js'
import type {
  NotificationLevel,
  NotificationSettingTable,
} from '../../database/tables/notification-settings.js'

type Row = Selectable<NotificationSettingTable>

/** About what a user wants mails in one project. */
export interface Preference {
  level: Exclude<NotificationLevel, 'global'>
  /** For `custom`: whether there are mails, by the names of events. */
  events: Readonly<Partial<Record<string, boolean>>>
  /** Address for mails; null = that of the account. */
  email: string | null
}

const USUAL: Preference = { level: 'participating', events: {}, email: null }

/** Users per statement in both databases. */
const MAX_USERS = 500

/**
 * Preferences of these users in a project: that of the project, or else that of the nearest group above it, or else the
 * general one of the user. A setting with the level `global` is as none.
 */
export async function preferencesIn(
  database: Database,
  projectId: number,
  userIds: readonly number[],
): Promise<Map<number, Preference>> {
  const groupIds = await groupsAbove(database, projectId)
  const preferences = new Map<number, Preference>()
  for (let start = 0; start < userIds.length; start += MAX_USERS) {
    const some = userIds.slice(start, start + MAX_USERS)
    const rows = await settingsOf(database, projectId, groupIds, some)
    for (const id of some)
      preferences.set(
        id,
        preferenceOf(
          rows.filter((row) => row.user_id === id),
          groupIds,
        ),
      )
  }
  return preferences
}

function settingsOf(
  database: Database,
  projectId: number,
  groupIds: readonly number[],
  userIds: readonly number[],
): Promise<Row[]> {
  return database
    .selectFrom('notification_setting')
    .selectAll()
    .where('user_id', 'in', userIds)
    .where(({ or, and, eb }) =>
      or([
        eb('project_id', '=', projectId),
        and([eb('project_id', 'is', null), eb('group_id', 'is', null)]),
        ...(groupIds.length === 0 ? [] : [eb('group_id', 'in', groupIds)]),
      ]),
    )
    .execute()
}

/** `groupIds`: the nearest first. */
function preferenceOf(rows: readonly Row[], groupIds: readonly number[]): Preference {
  const general = rows.find(({ project_id, group_id }) => project_id === null && group_id === null)
  const nearest = [
    rows.find(({ project_id }) => project_id !== null),
    ...groupIds.map((id) => rows.find(({ group_id }) => group_id === id)),
    general,
  ].find((row) => row !== undefined && row.level !== 'global')
  const email = general?.notification_email ?? null
  if (!nearest || nearest.level === 'global') return { ...USUAL, email }
  return { level: nearest.level, events: JSON.parse(nearest.events) as Preference['events'], email }
}

/** The group of the project and those above it, the nearest first. */
async function groupsAbove(database: Database, projectId: number): Promise<number[]> {
  const rows = await database
    .selectFrom('project')
    .innerJoin('group_tree', 'group_tree.group_id', 'project.namespace_id')
    .innerJoin('namespace', 'namespace.id', 'group_tree.ancestor_id')
    .select(['namespace.id', 'namespace.full_path'])
    .where('project.id', '=', projectId)
    .execute()
  return rows.toSorted((one, other) => other.full_path.length - one.full_path.length).map(({ id }) => id)
}

/**
 * IDs of the users who may want mails about a project in which they do not take part: with the level `watch` or `custom`
 * in the project, in a group above it, or in general as members.
 */
export async function possibleWatchers(database: Database, projectId: number): Promise<number[]> {
  const groupIds = await groupsAbove(database, projectId)
  const rows = await database
    .selectFrom('notification_setting')
    .select('user_id')
    .distinct()
    .where('level', 'in', ['watch', 'custom'])
    .where(({ or, and, eb, selectFrom }) =>
      or([
        eb('project_id', '=', projectId),
        ...(groupIds.length === 0 ? [] : [eb('group_id', 'in', groupIds)]),
        and([
          eb('project_id', 'is', null),
          eb('group_id', 'is', null),
          eb(
            'user_id',
            'in',
            selectFrom('member')
              .select('member.user_id')
              .where((of) =>
                of.or([
                  of('member.project_id', '=', projectId),
                  ...(groupIds.length === 0 ? [] : [of('member.group_id', 'in', groupIds)]),
                ]),
              ),
          ),
        ]),
      ]),
    )
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** Whether the project, or an ancestor group, disables mails about its events. */
export async function areMailsDisabled(database: Database, projectId: number): Promise<boolean> {
  const row = await database
    .selectFrom('project')
    .select('id')
    .where('id', '=', projectId)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('project.emails_disabled', '=', true),
        exists(
          selectFrom('group_tree')
            .innerJoin('namespace', 'namespace.id', 'group_tree.ancestor_id')
            .select('namespace.id')
            .whereRef('group_tree.group_id', '=', 'project.namespace_id')
            .where('namespace.emails_disabled', '=', true),
        ),
      ]),
    )
    .executeTakeFirst()
  return row !== undefined
}
