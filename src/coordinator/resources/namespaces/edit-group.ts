import type { Database } from '../../database/connect.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { invalidParameters, invalidRecord } from '../../http/errors.js'
import { allowInstanceRunners } from '../../queue/store.js'
import type { EditGroup } from './schema.js'
import {
  closeSubgroupsToInstanceRunners,
  findNamespace,
  type NamespaceRow,
  takeInstanceRunnersFromProjects,
  updateGroup,
} from './store.js'

/**
 * Changes a group's settings. One that does without the runners of the instance takes them from its subgroups and
 * projects, waiting jobs included; one that uses them again leaves those as they are (API gaps, D).
 */
export async function editGroup(
  database: Database,
  group: NamespaceRow,
  changes: EditGroup,
): Promise<NamespaceRow> {
  if (Object.keys(changes).length === 0) {
    throw invalidParameters(
      'name, shared_runners_setting are missing, at least one parameter must be provided',
    )
  }
  return inTransaction(database, async (tx) => {
    const { shared_runners_setting: setting } = changes
    if (setting && setting !== group.shared_runners_setting) await applyToInside(tx, group, setting)
    return updateGroup(tx, group.id, changes)
  })
}

async function applyToInside(
  tx: Transaction,
  group: NamespaceRow,
  setting: NamespaceRow['shared_runners_setting'],
): Promise<void> {
  await refuseAgainstParent(tx, group, setting)
  if (setting === 'enabled') return
  await closeSubgroupsToInstanceRunners(tx, group, setting)
  await allowInstanceRunners(tx, await takeInstanceRunnersFromProjects(tx, group), false)
}

async function refuseAgainstParent(
  tx: Transaction,
  { parent_id }: NamespaceRow,
  setting: NamespaceRow['shared_runners_setting'],
): Promise<void> {
  const parent = parent_id === null ? undefined : await findNamespace(tx, String(parent_id))
  if (
    parent?.shared_runners_setting !== 'disabled_and_unoverridable' ||
    setting === 'disabled_and_unoverridable'
  )
    return
  throw invalidRecord({
    shared_runners_setting: ['cannot be changed because the parent group has instance runners disabled'],
  })
}
