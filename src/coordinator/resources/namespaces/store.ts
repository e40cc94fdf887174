import {
  type Expression,
  type Insertable,
  type RawBuilder,
  type Selectable,
  sql,
  type SqlBool,
  type Updateable,
} from 'kysely'

import type { Database } from '../../database/connect.js'
import { containsText, sameText } from '../../database/text.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import type { Paging, User } from '../../http/operation.js'
import { isMemberOfGroup, maySeeGroup } from '../../standing/reach.js'
import type { NamespaceTable } from '../projects/table.js'

export type NamespaceRow = Selectable<NamespaceTable>

export interface NamespaceFilter {
  kind?: NamespaceRow['kind']
  search?: string
  ownedBy?: number
  sort?: 'asc' | 'desc'
}

/** Takes an id or a full path. */
export function findNamespace(database: Database, idOrPath: string): Promise<NamespaceRow | undefined> {
  const query = database.selectFrom('namespace').selectAll()
  return /^\d{1,15}$/.test(idOrPath)
    ? query.where('id', '=', Number(idOrPath)).executeTakeFirst()
    : query.where(({ ref }) => sameText(ref('full_path'), idOrPath)).executeTakeFirst()
}

/** What `viewer` may see: open groups and what is the viewer's own; personal namespaces of others are not listed. */
export async function listNamespaces(
  database: Database,
  { kind, search, ownedBy, sort }: NamespaceFilter,
  viewer: User | undefined,
  { perPage, offset }: Paging,
): Promise<{ rows: NamespaceRow[]; total: number }> {
  let matching = database.selectFrom('namespace')
  if (kind) matching = matching.where('kind', '=', kind)
  if (ownedBy !== undefined) {
    matching = matching.where(({ or, eb }) =>
      or([eb('owner_id', '=', ownedBy), isMemberOfGroup(ownedBy, 50)]),
    )
  }
  if (search) {
    matching = matching.where(({ or, ref }) =>
      or([containsText(ref('name'), search), containsText(ref('full_path'), search)]),
    )
  }
  if (!viewer?.is_admin) {
    matching = matching.where(({ or, and, eb }) =>
      or([eb('owner_id', '=', viewer?.id ?? 0), and([eb('kind', '=', 'group'), maySeeGroup(viewer)])]),
    )
  }
  const { total } = await matching
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await matching
    .selectAll()
    .orderBy('name', sort ?? 'asc')
    .orderBy('id')
    .limit(perPage)
    .offset(offset)
    .execute()
  return { rows, total }
}

export function updateGroup(
  database: Database,
  id: number,
  changes: Updateable<NamespaceTable>,
): Promise<NamespaceRow> {
  return database
    .updateTable('namespace')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Gives the groups in the group its setting, unless theirs is the stricter one. */
export async function closeSubgroupsToInstanceRunners(
  tx: Transaction,
  group: NamespaceRow,
  setting: NamespaceRow['shared_runners_setting'],
): Promise<void> {
  await tx
    .updateTable('namespace')
    .set({ shared_runners_setting: setting })
    .where('kind', '=', 'group')
    .where(({ ref }) => isInside(ref('full_path'), group))
    .where('shared_runners_setting', '!=', 'disabled_and_unoverridable')
    .execute()
}

/** Of all projects in the group and its subgroups; ids of those that had them. */
export async function takeInstanceRunnersFromProjects(
  tx: Transaction,
  group: NamespaceRow,
): Promise<number[]> {
  const rows = await tx
    .updateTable('project')
    .set({ shared_runners_enabled: false })
    .where('shared_runners_enabled', '=', true)
    .where(({ ref }) => isInside(ref('full_path'), group))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

function isInside(path: Expression<string>, { full_path }: NamespaceRow): RawBuilder<SqlBool> {
  const prefix = `${full_path}/`
  return sql<SqlBool>`substr(${path}, 1, ${prefix.length}) = ${prefix}`
}

/** With its place in the tree, and with `ownerId` as its first member. */
export function insertGroup(
  database: Database,
  values: Insertable<NamespaceTable>,
  ownerId?: number,
): Promise<NamespaceRow> {
  return inTransaction(database, async (tx) => {
    const group = await tx.insertInto('namespace').values(values).returningAll().executeTakeFirstOrThrow()
    await insertIntoTree(tx, group)
    if (ownerId === undefined) return group
    await tx
      .insertInto('member')
      .values({ group_id: group.id, user_id: ownerId, access_level: 50, created_at: group.created_at })
      .execute()
    return group
  })
}

async function insertIntoTree(tx: Transaction, { id, parent_id }: NamespaceRow): Promise<void> {
  await tx.insertInto('group_tree').values({ group_id: id, ancestor_id: id }).execute()
  if (parent_id === null) return
  await tx
    .insertInto('group_tree')
    .columns(['group_id', 'ancestor_id'])
    .expression((eb) =>
      eb
        .selectFrom('group_tree')
        .select(({ lit }) => [lit(id).as('group_id'), 'ancestor_id'])
        .where('group_id', '=', parent_id),
    )
    .execute()
}
