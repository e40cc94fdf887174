import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'

/** Covering indexes to sort and filter lists of groups and namespaces. */
const INDEXES: Record<string, { columns: string[]; replaces: string }> = {
  namespace_list: {
    columns: ['name', 'id', 'kind', 'visibility', 'owner_id', 'parent_id'],
    replaces: 'namespace_in_order_of_name',
  },
  namespace_list_of_kind: {
    columns: ['kind', 'name', 'id', 'visibility', 'parent_id'],
    replaces: 'namespace_by_kind_and_name',
  },
  namespace_list_of_parent: {
    columns: ['parent_id', 'name', 'id', 'kind', 'visibility', 'owner_id'],
    replaces: 'namespace_by_parent_id',
  },
}

/**
 * SQLite also searches in these indexes. PostgreSQL limits an index entry to 2,704 bytes, which long paths
 * may exceed, and reads the table as fast.
 */
export async function up({ schema }: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const searched = dialect === 'sqlite' ? ['full_path'] : []
  for (const [name, { columns, replaces }] of Object.entries(INDEXES)) {
    await schema
      .createIndex(name)
      .on('namespace')
      .columns([...columns, ...searched])
      .execute()
    await schema.dropIndex(replaces).execute()
  }
}
