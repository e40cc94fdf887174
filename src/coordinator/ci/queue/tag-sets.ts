import { sql } from 'kysely'

import type { Database } from '../../database/connect.js'
import { isTextInJson } from '../../database/json-rows.js'
import { preparedRead } from '../../database/prepared-read.js'
import type { Placeholder } from '../../database/prepared-statement.js'
import type { Transaction } from '../../database/transaction.js'

/** The distinct tag sets of jobs. A committed set is never changed or deleted, so it can be cached. */
export class TagSets {
  private readonly known = new Map<number, readonly string[]>()

  constructor(private readonly database: Database) {}

  /** Tags of the sets with these ids; `database` may be a transaction that has not inserted sets itself. */
  async read(
    ids: Iterable<number>,
    database: Database = this.database,
  ): Promise<ReadonlyMap<number, readonly string[]>> {
    const unknown = [...new Set(ids)].filter((id) => !this.known.has(id))
    if (unknown.length > 0) {
      for (const { id, tags } of await findTagSets(database, unknown)) this.known.set(id, tags)
    }
    return this.known
  }
}

export function tagSetKey(tags: readonly string[]): string {
  return JSON.stringify([...new Set(tags)].sort())
}

/** Ids by key (`tagSetKey`), of new sets too. */
export async function storeTagSets(
  tx: Transaction,
  tagLists: Iterable<readonly string[]>,
): Promise<Map<string, number>> {
  // Sorted, so that two transactions that insert the same sets cannot deadlock.
  const keys = [...new Set([...tagLists].map(tagSetKey))].sort()
  const found = await findIds(tx, keys)
  const missing = keys.filter((key) => !found.has(key))
  if (missing.length === 0) return found
  await tx
    .insertInto('tag_set')
    .values(missing.map((key) => ({ key, tags: key })))
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
  return findIds(tx, keys)
}

const tagSetsByKeys = preparedRead((database, { keys }: { keys: Placeholder<string> }, dialect) =>
  database
    .selectFrom('tag_set')
    .select(['id', 'key'])
    .where(isTextInJson(dialect, sql.ref('key'), keys)),
)

async function findIds(tx: Transaction, keys: string[]): Promise<Map<string, number>> {
  const rows = await tagSetsByKeys(tx, { keys: JSON.stringify(keys) })
  return new Map(rows.map(({ id, key }) => [key, id]))
}

function findTagSets(database: Database, ids: number[]): Promise<{ id: number; tags: string[] }[]> {
  return database.selectFrom('tag_set').select(['id', 'tags']).where('id', 'in', ids).execute()
}
