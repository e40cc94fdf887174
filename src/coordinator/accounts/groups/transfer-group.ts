import type { User } from '../../access/caller.js'
import { groupsIn, type NamespaceRow, updateNamespace } from '../../database/stores/namespace-store.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { isUniqueViolation } from '../../database/unique-violation.js'
import { lockMoves } from '../../hosting/paths/lock-path.js'
import type { TransferDeps } from '../../hosting/projects/transfer/transfer-project.js'
import { type ApiError, apiError } from '../../http/errors.js'
import { closeToInstanceRunners } from './edit-group.js'
import { existingGroup, parentFor, refuseAtTop } from './groups.js'
import { hasProjectOfPath, lockGroupsIn, moveInTree, projectsIn, renameInside } from './store.js'
import { problemInParent } from './visibility-rules.js'

/** Moves a group with everything inside to another group, or to the top level (API, D). */
export async function transferGroup(
  { database, onMoved }: TransferDeps,
  group: NamespaceRow,
  parentId: number | null,
  user: User,
): Promise<NamespaceRow> {
  const parent = parentId === null ? undefined : await parentFor(database, parentId, user)
  if (!parent) refuseAtTop(user)
  try {
    return await inTransaction(database, async (tx) => {
      await lockMoves(tx)
      await lockGroupsIn(tx, group.id, parentId)
      return move(
        tx,
        onMoved,
        await existingGroup(tx, group.id),
        parent && (await existingGroup(tx, parent.id)),
      )
    })
  } catch (error) {
    if (isUniqueViolation(error)) {
      throw failed(PATH_TAKEN)
    }
    throw error
  }
}

const PATH_TAKEN = 'The parent group already has a subgroup or a project with the same path.'

async function move(
  tx: Transaction,
  onMoved: TransferDeps['onMoved'],
  group: NamespaceRow,
  parent: NamespaceRow | undefined,
): Promise<NamespaceRow> {
  if (group.parent_id === (parent?.id ?? null)) {
    throw failed(
      parent ? 'Group is already associated to the parent group.' : 'Group is already a root group.',
    )
  }
  const problem = problemInParent(group.visibility, parent)
  if (problem) throw failed(problem)
  if (parent && (await liesIn(tx, parent.id, group.id))) {
    throw failed('Cannot transfer group to one of its subgroup.')
  }
  if (parent && (await hasProjectOfPath(tx, parent.id, group.path))) throw failed(PATH_TAKEN)
  const full_path = parent ? `${parent.full_path}/${group.path}` : group.path
  await renameInside(tx, group.id, group.full_path, full_path)
  await moveInTree(tx, group.id, parent?.id ?? null)
  const isClosed = parent?.shared_runners_setting === 'disabled_and_unoverridable'
  if (isClosed) await closeToInstanceRunners(tx, group, 'disabled_and_unoverridable')
  const moved = await updateNamespace(tx, group.id, {
    full_path,
    parent_id: parent?.id ?? null,
    ...(isClosed ? { shared_runners_setting: 'disabled_and_unoverridable' } : {}),
  })
  // Those of the groups that are not above any more.
  for (const projectId of await projectsIn(tx, group.id)) await onMoved(tx, projectId)
  return moved
}

async function liesIn(tx: Transaction, id: number, groupId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('namespace')
    .select('id')
    .where('id', '=', id)
    .where('id', 'in', groupsIn(groupId))
    .executeTakeFirst()
  return row !== undefined
}

function failed(reason: string): ApiError {
  return apiError('group_transfer_failed', { reason })
}
