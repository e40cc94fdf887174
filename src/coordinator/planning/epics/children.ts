import type { User } from '../../access/caller.js'
import { maySeeGroup } from '../../access/visibility.js'
import type { Database } from '../../database/connect.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { type ApiError, apiError, notFound } from '../../http/errors.js'
import type { Paging } from '../../http/page.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'
import { requireManagedEpic, requireVisibleEpic } from '../access/epic-access.js'
import { type EpicRow, findEpicInAnyGroup, lockEpic } from '../stores/epic-store.js'
import {
  epicsAbove,
  levelsBelow,
  lockEpicTree,
  placeChildren,
  placedChildren,
  setParent,
} from '../stores/epic-tree-store.js'
import { moveAmong, type MoveTarget } from '../stores/move-among.js'
import { addChildNotes } from '../system-notes/epic-notes.js'
import { requireEpic } from './epics.js'

/** Maximum number of epics above each other: one and six levels of children. */
const MAX_LEVELS = 7

/** Maximum number of children of an epic. */
const MAX_CHILDREN = 1000

/** The epic of a path, and the caller. */
export interface ParentScope {
  groupId: number
  iid: number
  user: User
}

/** One page of the children of an epic that the caller may see, in their order. */
export function listChildren(
  database: Database,
  parentId: number,
  viewer: User | undefined,
  paging: Paging,
): Promise<Rows<EpicRow>> {
  const matching = database
    .selectFrom('epic')
    .innerJoin('namespace', 'namespace.id', 'epic.group_id')
    .where('epic.parent_id', '=', parentId)
    .where(() => maySeeGroup(viewer))
  return listRows(database, matching, paging, { table: 'epic', column: 'parent_position', direction: 'asc' })
}

/**
 * Makes an epic a child, instead of being one of another epic. Throws 404 for a hidden epic, 403 for one of a group in which
 * the caller is no reporter, and 400 if the epics would be above each other in a circle, or too many.
 */
export function addChild(
  database: Database,
  { groupId, iid, user }: ParentScope,
  childId: number,
): Promise<EpicRow> {
  return inTransaction(database, async (tx) => {
    await lockEpicTree(tx)
    const parent = await lockTheEpic(tx, groupId, iid)
    const child = await requireManagedEpic(tx, user, { id: childId })
    if (child.parent_id === parent.id) return child
    await checkTree(tx, parent, child.id)
    const former = child.parent_id === null ? undefined : await findEpicInAnyGroup(tx, child.parent_id)
    if (former) await addChildNotes(tx, user.id, { parent: former, child }, 'removed')
    await addChildNotes(tx, user.id, { parent, child }, 'added')
    return existing(await setParent(tx, child.id, parent.id))
  })
}

/** Makes an epic, which `tx` has created in the same group, a child. Throws 404 and 400 as `addChild`. */
export async function addNewChild(
  tx: Transaction,
  { groupId, iid, userId }: { groupId: number; iid: number; userId: number },
  create: (tx: Transaction) => Promise<EpicRow>,
): Promise<EpicRow> {
  await lockEpicTree(tx)
  const parent = await lockTheEpic(tx, groupId, iid)
  const child = await create(tx)
  await checkTree(tx, parent, child.id)
  await addChildNotes(tx, userId, { parent, child }, 'added')
  return existing(await setParent(tx, child.id, parent.id))
}

async function checkTree(tx: Transaction, parent: EpicRow, childId: number): Promise<void> {
  const above = [parent.id, ...(await epicsAbove(tx, parent, MAX_LEVELS))]
  if (above.includes(childId)) throw refused('An epic cannot be above itself.')
  const levels = above.length + 1 + (await levelsBelow(tx, childId, MAX_LEVELS))
  if (levels > MAX_LEVELS) throw refused(`At most ${MAX_LEVELS} epics may be above each other.`)
  const children = await placedChildren(tx, parent.id)
  if (children.length >= MAX_CHILDREN) throw refused(`An epic may have at most ${MAX_CHILDREN} children.`)
}

function refused(reason: string): ApiError {
  return apiError('child_epic_refused', { reason })
}

/** Throws 404 for an epic that is no child, or is hidden. */
export function removeChild(
  database: Database,
  { groupId, iid, user }: ParentScope,
  childId: number,
): Promise<EpicRow> {
  return inTransaction(database, async (tx) => {
    await lockEpicTree(tx)
    const parent = await requireEpic(tx, groupId, iid)
    const child = await requireVisibleEpic(tx, user, { id: childId })
    if (child.parent_id !== parent.id) throw notFound('Epic')
    await addChildNotes(tx, user.id, { parent, child }, 'removed')
    return existing(await setParent(tx, child.id, null))
  })
}

/** Throws 404 for an epic that is no child, or is hidden, and 422 for neighbors that are no children or in another order. */
export async function moveChild(
  database: Database,
  { groupId, iid, user }: ParentScope,
  childId: number,
  target: MoveTarget,
): Promise<EpicRow> {
  return inTransaction(database, async (tx) => {
    await lockEpicTree(tx)
    const parent = await requireEpic(tx, groupId, iid)
    const child = await requireVisibleEpic(tx, user, { id: childId })
    if (child.parent_id !== parent.id) throw notFound('Epic')
    const places = moveAmong(await placedChildren(tx, parent.id), child.id, target)
    if (!places) throw apiError('epic_item_not_reorderable')
    await placeChildren(tx, parent.id, places)
    return parent
  })
}

async function lockTheEpic(tx: Transaction, groupId: number, iid: number): Promise<EpicRow> {
  const { id } = await requireEpic(tx, groupId, iid)
  return existing(await lockEpic(tx, groupId, id))
}

function existing(row: EpicRow | undefined): EpicRow {
  if (!row) throw notFound('Epic')
  return row
}
