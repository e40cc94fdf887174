import type { Project, User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { lockRow } from '../../database/lock-row.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { apiError } from '../../http/errors.js'
import { checkMayPromote } from '../access/check-may-promote.js'
import {
  deleteLabelRow,
  findLabel,
  insertLabel,
  type LabelKey,
  type LabelRow,
} from '../stores/label-store.js'
import { labelsOfGroupProjects, moveLabel } from '../stores/replace-label.js'
import { requireLabel } from './labels.js'

/**
 * Makes a project label one of the group of the project. It replaces all labels with its name in the projects of
 * the group, with their priorities and subscribers. A group label with the name is used as it is. Returns the group
 * label. Throws 403 for users who may not manage the labels of the group, 404 for an unknown label, and 400 for a
 * project without a group.
 */
export async function promoteLabel(
  database: Database,
  project: Project,
  user: User,
  key: LabelKey,
): Promise<LabelRow> {
  const { id: project_id, namespace_id: group_id } = project
  await checkMayPromote(database, user, {
    namespaceId: group_id,
    permission: 'manage_group_labels',
    noGroup: () => apiError('label_not_promotable'),
  })
  return inTransaction(database, async (tx) => {
    await lockRow(tx, 'namespace', group_id)
    const label = await requireLabel(tx, { project_id }, key)
    const promoted = await groupLabel(tx, group_id, label)
    for (const replaced of await labelsOfGroupProjects(tx, group_id, label.name)) {
      await moveLabel(tx, replaced, promoted.id)
      await deleteLabelRow(tx, replaced.id)
    }
    return promoted
  })
}

async function groupLabel(
  tx: Transaction,
  group_id: number,
  { name, color, description }: LabelRow,
): Promise<LabelRow> {
  const label =
    (await insertLabel(tx, { group_id }, { name, color, description })) ??
    (await findLabel(tx, { group_id }, { name }))
  if (!label) throw apiError('label_not_promotable')
  return label
}
