import type { Updateable } from 'kysely'

import { problemOfPathName } from '../../../addresses/path-name.js'
import type { User } from '../../access/caller.js'
import { allowInstanceRunners } from '../../ci/queue/store.js'
import type { Database } from '../../database/connect.js'
import {
  closeSubgroupsToInstanceRunners,
  type NamespaceRow,
  updateNamespace,
} from '../../database/stores/namespace-store.js'
import type { NamespaceTable } from '../../database/tables/projects.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { isUniqueViolation } from '../../database/unique-violation.js'
import { lockMoves } from '../../hosting/paths/lock-path.js'
import { refuseRestricted } from '../../hosting/restricted-visibility.js'
import { invalidRecord } from '../../http/errors.js'
import { emitGroupEvents } from '../../integrations/webhooks/outbox/emit-group-events.js'
import { existingGroup } from './groups.js'
import type { EditGroup } from './schema.js'
import { settingsFor } from './settings.js'
import {
  disableInstanceRunnersInProjects,
  findNamespace,
  hasProjectOfPath,
  lockGroupsIn,
  renameInside,
} from './store.js'
import { refuseVisibility } from './visibility-rules.js'

/**
 * Changes the settings of a group (API, D). A new path changes the full paths of everything inside. Disabling
 * instance runners also disables them in subgroups and projects, including waiting jobs. Enabling them does
 * not change subgroups and projects.
 */
export async function editGroup(
  database: Database,
  group: NamespaceRow,
  changes: EditGroup,
  user: User,
): Promise<NamespaceRow> {
  try {
    return await inTransaction(database, async (tx) => {
      const concernsInside = changes.path !== undefined || changes.shared_runners_setting !== undefined
      if (concernsInside) {
        await lockMoves(tx)
        await lockGroupsIn(tx, group.id, group.parent_id)
      }
      return applyChanges(tx, await existingGroup(tx, group.id), changes, user)
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw invalidRecord({ path: ['has already been taken'] })
    throw error
  }
}

async function applyChanges(
  tx: Transaction,
  group: NamespaceRow,
  changes: EditGroup,
  user: User,
): Promise<NamespaceRow> {
  const { name, visibility, shared_runners_setting: setting } = changes
  const parent = group.parent_id === null ? undefined : await findNamespace(tx, String(group.parent_id))
  if (visibility && visibility !== group.visibility) {
    await refuseRestricted(tx, visibility, user)
    await refuseVisibility(tx, group, visibility, parent)
  }
  if (setting && setting !== group.shared_runners_setting) await applyToInside(tx, group, setting, parent)
  const moved = await moveTo(tx, group, changes.path)
  const edited = await updateNamespace(tx, group.id, {
    ...settingsFor(changes, user),
    ...(name === undefined ? {} : { name }),
    ...(visibility === undefined ? {} : { visibility }),
    ...(setting === undefined ? {} : { shared_runners_setting: setting }),
    ...moved,
    // An UPDATE needs at least one column.
    kind: 'group',
  })
  if (edited.path !== group.path) await emitGroupEvents(tx, { name: 'group_rename', before: group }, edited)
  return edited
}

async function moveTo(
  tx: Transaction,
  group: NamespaceRow,
  path: string | undefined,
): Promise<Updateable<NamespaceTable>> {
  if (path === undefined || path === group.path) return {}
  const problem = problemOfPathName(path, group.parent_id === null ? 'top' : 'inside')
  if (problem) throw invalidRecord({ path: [problem] })
  if (group.parent_id !== null && (await hasProjectOfPath(tx, group.parent_id, path))) {
    throw invalidRecord({ path: ['has already been taken'] })
  }
  const full_path = [...group.full_path.split('/').slice(0, -1), path].join('/')
  await renameInside(tx, group.id, group.full_path, full_path)
  return { path, full_path }
}

async function applyToInside(
  tx: Transaction,
  group: NamespaceRow,
  setting: NamespaceRow['shared_runners_setting'],
  parent: NamespaceRow | undefined,
): Promise<void> {
  if (
    parent?.shared_runners_setting === 'disabled_and_unoverridable' &&
    setting !== 'disabled_and_unoverridable'
  ) {
    throw invalidRecord({
      shared_runners_setting: ['cannot be changed because the parent group has instance runners disabled'],
    })
  }
  if (setting !== 'enabled') await closeToInstanceRunners(tx, group, setting)
}

/** Disables instance runners in the group and everything inside. */
export async function closeToInstanceRunners(
  tx: Transaction,
  group: NamespaceRow,
  setting: NamespaceRow['shared_runners_setting'],
): Promise<void> {
  await closeSubgroupsToInstanceRunners(tx, group, setting)
  await allowInstanceRunners(tx, await disableInstanceRunnersInProjects(tx, group), false)
}
