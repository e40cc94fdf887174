import { inTransaction, type Transaction } from '../../database/transaction.js'
import { againIfTaken } from '../../database/unique-violation.js'
import { apiError } from '../../http/errors.js'
import { invalidValue } from '../protocol/read-attributes.js'
import type { GroupStatement } from '../protocol/read-group.js'
import type { ScimCaller, ScimDeps } from '../scim-deps.js'
import {
  deleteGroupMembers,
  deleteGroupRow,
  findGroup,
  type GroupMember,
  type GroupRow,
  insertGroup,
  insertGroupMembers,
  isGroupNameTaken,
  listMembers,
  lockGroup,
  managedAmong,
  markChanged,
  updateGroup,
} from '../stores/group-store.js'
import { applyGroupChanges } from './apply-changes.js'

type Deps = Pick<ScimDeps, 'database' | 'providers'>

/** Throws 404 for a group of another provider. */
export async function requireGroup(
  { database }: Deps,
  { provider }: ScimCaller,
  id: number,
): Promise<GroupRow> {
  const group = await findGroup(database, provider.name, id)
  if (!group) throw apiError('scim_resource_not_found', { resource: 'Group', id })
  return group
}

/** Creates a group; its members get the memberships that the provider's table of groups names for it. */
export async function createGroup(
  deps: Deps,
  { provider }: ScimCaller,
  statement: GroupStatement,
): Promise<GroupRow> {
  const group = await againIfTaken(() =>
    inTransaction(deps.database, async (tx) => {
      await refuseTakenName(tx, provider.name, statement)
      const created = await insertGroup(tx, provider.name, statement)
      await setMembers(tx, provider.name, created.id, statement.members ?? new Set())
      return created
    }),
  )
  await applyGroupChanges(deps)
  return group
}

/** What a group is like after a change, by the group and the IDs of its members before it. */
export type GroupChange = (group: GroupRow, members: readonly GroupMember[]) => GroupStatement

/**
 * Changes a group. `change` runs while the group is locked, so that of two changes at the same time none is lost; it throws
 * to refuse. Members that it does not say stay.
 */
export async function changeGroup(
  deps: Deps,
  { provider }: ScimCaller,
  id: number,
  change: GroupChange,
): Promise<GroupRow> {
  const group = await againIfTaken(() =>
    inTransaction(deps.database, (tx) => changeLocked(tx, provider.name, id, change)),
  )
  await applyGroupChanges(deps)
  return group
}

async function changeLocked(
  tx: Transaction,
  provider: string,
  id: number,
  change: GroupChange,
): Promise<GroupRow> {
  const before = await lockGroup(tx, provider, id)
  if (!before) throw apiError('scim_resource_not_found', { resource: 'Group', id })
  const statement = change(before, await listMembers(tx, [id]))
  await refuseTakenName(tx, provider, statement, id)
  if (statement.members) await setMembers(tx, provider, id, statement.members)
  const isRenamed =
    statement.displayName !== before.display_name || statement.externalId !== before.external_id
  if (isRenamed) await markChanged(tx, await memberIds(tx, id))
  return updateGroup(tx, before, statement)
}

/** Deletes a group, and takes away the memberships that it has given. */
export async function deleteGroup(deps: Deps, { id }: GroupRow): Promise<void> {
  await inTransaction(deps.database, async (tx) => {
    await markChanged(tx, await memberIds(tx, id))
    await deleteGroupRow(tx, id)
  })
  await applyGroupChanges(deps)
}

async function setMembers(
  tx: Transaction,
  provider: string,
  groupId: number,
  wanted: ReadonlySet<number>,
): Promise<void> {
  const present = new Set(await memberIds(tx, groupId))
  const added = [...wanted].filter((id) => !present.has(id))
  const removed = [...present].filter((id) => !wanted.has(id))
  const known = await managedAmong(tx, provider, added)
  const unknown = added.find((id) => !known.has(id))
  if (unknown !== undefined)
    throw invalidValue('members', `has the ID ${unknown}, of a user whom this provider does not manage`)
  await insertGroupMembers(tx, groupId, added)
  await deleteGroupMembers(tx, groupId, removed)
  await markChanged(tx, [...added, ...removed])
}

async function memberIds(tx: Transaction, groupId: number): Promise<number[]> {
  return (await listMembers(tx, [groupId])).map(({ user_id }) => user_id)
}

async function refuseTakenName(
  tx: Transaction,
  provider: string,
  { displayName }: GroupStatement,
  except = 0,
): Promise<void> {
  if (await isGroupNameTaken(tx, provider, displayName, except))
    throw apiError('scim_group_name_taken', { display_name: displayName })
}
