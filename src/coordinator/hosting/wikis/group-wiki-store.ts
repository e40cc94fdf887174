import type { Selectable } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { GroupWikiTable } from '../../database/tables/wikis.js'
import type { Transaction } from '../../database/transaction.js'
import type { Move } from './store.js'

/** Records that the group has a wiki. Returns whether it had none. */
export async function insertGroupWiki(database: Database, groupId: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await database
    .insertInto('group_wiki')
    .values({ group_id: groupId, head_sha: null, size: 0, updated_at: Date.now() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

export function findGroupWiki(
  database: Database,
  groupId: number,
): Promise<Selectable<GroupWikiTable> | undefined> {
  return database.selectFrom('group_wiki').selectAll().where('group_id', '=', groupId).executeTakeFirst()
}

/** Records a new head and its size. False if the head is another one than expected. */
export async function moveGroupWiki(
  tx: Transaction,
  groupId: number,
  { from, to, size }: Move,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('group_wiki')
    .set({ head_sha: to, size, updated_at: Date.now() })
    .where('group_id', '=', groupId)
    .where('head_sha', from === null ? 'is' : '=', from)
    .executeTakeFirst()
  return numUpdatedRows > 0
}

/** IDs of all groups that have a wiki. */
export async function listGroupWikis(database: Database): Promise<number[]> {
  const rows = await database.selectFrom('group_wiki').select('group_id').orderBy('group_id').execute()
  return rows.map(({ group_id }) => group_id)
}

/** Those of the groups that have a wiki. */
export async function groupsWithWiki(database: Database, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await database
    .selectFrom('group_wiki')
    .select('group_id')
    .where('group_id', 'in', ids)
    .execute()
  return new Set(rows.map(({ group_id }) => group_id))
}
