import type { Insertable, Selectable } from 'kysely'

import type { WikiPageTable } from '../../database/tables/wikis.js'
import type { Transaction } from '../../database/transaction.js'

export type PageRow = Selectable<WikiPageTable>

export async function listPagesWithSlugs(
  tx: Transaction,
  projectId: number,
  slugs: readonly string[],
): Promise<PageRow[]> {
  if (slugs.length === 0) return []
  return tx
    .selectFrom('wiki_page')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('slug', 'in', slugs)
    .execute()
}

/** Returns the ID. */
export async function insertPage(
  tx: Transaction,
  page: Omit<Insertable<WikiPageTable>, 'id'>,
): Promise<number> {
  const { id } = await tx.insertInto('wiki_page').values(page).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function updatePage(tx: Transaction, { id, slug, title, format }: PageRow): Promise<void> {
  await tx.updateTable('wiki_page').set({ slug, title, format }).where('id', '=', id).execute()
}
