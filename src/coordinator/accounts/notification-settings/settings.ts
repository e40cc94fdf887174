import type { Selectable } from 'kysely'

import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import type { NotificationSettingTable } from '../../database/tables/notification-settings.js'
import { inTransaction } from '../../database/transaction.js'
import { againIfTaken } from '../../database/unique-violation.js'
import { invalidParameters, invalidRecord } from '../../http/errors.js'
import { isOwnAddress } from '../../integrations/mail/recipient.js'
import { EVENT_NAMES, type EventName, type SetGlobalSettings, type SetLocalSettings } from './schema.js'

type Row = Selectable<NotificationSettingTable>

/** Where a setting holds: in a group, in a project, or in general. */
export type NotificationScope = { group_id: number } | { project_id: number } | undefined

export async function localSettings(database: Database, user: User, scope: NotificationScope) {
  return presentLocal(await find(database, user.id, scope), 'global')
}

/** Changes what is given. */
export async function setLocalSettings(
  database: Database,
  user: User,
  scope: NotificationScope,
  params: SetLocalSettings,
) {
  return presentLocal(await save(database, user.id, scope, params), 'global')
}

export async function globalSettings(database: Database, user: User) {
  return presentGlobal(user, await find(database, user.id, undefined))
}

/** Throws 400 for the level `global`, and for an address that is not a confirmed one of the user. */
export async function setGlobalSettings(database: Database, user: User, params: SetGlobalSettings) {
  if (params.level === 'global') throw invalidParameters('level does not have a valid value')
  const { notification_email: email } = params
  // An empty one stands for that of the account.
  if (email && !(await isOwnAddress(database, user, email)))
    throw invalidRecord({ notification_email: ['is not an email you own'] })
  return presentGlobal(user, await save(database, user.id, undefined, params))
}

function find(database: Database, userId: number, scope: NotificationScope): Promise<Row | undefined> {
  const ofUser = database.selectFrom('notification_setting').selectAll().where('user_id', '=', userId)
  const there =
    scope === undefined
      ? ofUser.where('group_id', 'is', null).where('project_id', 'is', null)
      : 'group_id' in scope
        ? ofUser.where('group_id', '=', scope.group_id)
        : ofUser.where('project_id', '=', scope.project_id)
  return there.executeTakeFirst()
}

function save(
  database: Database,
  userId: number,
  scope: NotificationScope,
  params: SetGlobalSettings,
): Promise<Row> {
  const { level, notification_email: email } = params
  const saved = () =>
    inTransaction(database, async (tx) => {
      const before = await find(tx, userId, scope)
      const events = JSON.stringify({ ...eventsOf(before), ...eventsIn(params) })
      const values = {
        level: level ?? before?.level ?? (scope === undefined ? 'participating' : 'global'),
        notification_email: email === undefined ? (before?.notification_email ?? null) : email || null,
        events,
        updated_at: Date.now(),
      } as const
      return before
        ? tx
            .updateTable('notification_setting')
            .set(values)
            .where('id', '=', before.id)
            .returningAll()
            .executeTakeFirstOrThrow()
        : tx
            .insertInto('notification_setting')
            .values({ user_id: userId, group_id: null, project_id: null, ...scope, ...values })
            .returningAll()
            .executeTakeFirstOrThrow()
    })
  return againIfTaken(saved)
}

type Events = Partial<Record<EventName, boolean>>

function eventsIn(params: SetLocalSettings): Events {
  return Object.fromEntries(
    EVENT_NAMES.filter((name) => params[name] !== undefined).map((name) => [name, params[name]]),
  )
}

function eventsOf(row: Row | undefined): Events {
  return row ? (JSON.parse(row.events) as Events) : {}
}

function presentLocal(row: Row | undefined, usual: 'global' | 'participating') {
  const level = row?.level ?? usual
  if (level !== 'custom') return { level }
  const chosen = eventsOf(row)
  return { level, events: Object.fromEntries(EVENT_NAMES.map((name) => [name, chosen[name] ?? false])) }
}

function presentGlobal(user: User, row: Row | undefined) {
  const local = presentLocal(row, 'participating')
  return { ...local, notification_email: row?.notification_email ?? user.email }
}
