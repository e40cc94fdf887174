import type { User } from '../../access/caller.js'
import { GROUP_RULES } from '../../access/permissions.js'
import { isMemberOfGroup, maySeeGroup } from '../../access/visibility.js'
import type { Database } from '../../database/connect.js'
import { forbidden, notFound } from '../../http/errors.js'
import type { EpicRow } from '../stores/epic-store.js'

/** What names an epic of any group: its ID, or its number within a group. */
export type EpicKey = { id: number } | { group: number | string; iid: number }

/** An epic of a group that the caller may see. Throws 404 for others. */
export async function requireVisibleEpic(
  database: Database,
  viewer: User | undefined,
  key: EpicKey,
): Promise<EpicRow> {
  const row = await seenEpics(database, viewer, key).selectAll('epic').executeTakeFirst()
  if (!row) throw notFound('Epic')
  return row
}

/** As `requireVisibleEpic`; throws 403 if the caller may not change it. */
export async function requireManagedEpic(database: Database, user: User, key: EpicKey): Promise<EpicRow> {
  const row = await seenEpics(database, user, key)
    .selectAll('epic')
    .select(() => isMemberOfGroup(user.id, GROUP_RULES.manage_epics.level).as('is_manager'))
    .executeTakeFirst()
  if (!row) throw notFound('Epic')
  const { is_manager, ...epic } = row
  if (!is_manager && !user.is_admin) throw forbidden()
  return epic
}

/** Those of the epics with these IDs that the caller may see, in the order of their IDs. */
export function visibleEpics(
  database: Database,
  viewer: User | undefined,
  ids: readonly number[],
): Promise<EpicRow[]> {
  return database
    .selectFrom('epic')
    .innerJoin('namespace', 'namespace.id', 'epic.group_id')
    .where(() => maySeeGroup(viewer))
    .selectAll('epic')
    .where('epic.id', 'in', ids)
    .orderBy('epic.id')
    .execute()
}

function seenEpics(database: Database, viewer: User | undefined, key: EpicKey) {
  const seen = database
    .selectFrom('epic')
    .innerJoin('namespace', 'namespace.id', 'epic.group_id')
    .where(() => maySeeGroup(viewer))
  if ('id' in key) return seen.where('epic.id', '=', key.id)
  const ofGroup = seen.where('epic.iid', '=', key.iid)
  const id = typeof key.group === 'number' || /^\d+$/.test(key.group) ? Number(key.group) : undefined
  if (id !== undefined) return ofGroup.where('namespace.id', '=', Number.isSafeInteger(id) ? id : 0)
  return ofGroup.where(({ eb, fn }) =>
    eb(fn('lower', ['namespace.full_path']), '=', String(key.group).toLowerCase()),
  )
}
