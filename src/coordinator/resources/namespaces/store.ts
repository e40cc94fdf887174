import type { Insertable, Selectable } from 'kysely'

import type { Database } from '../../database/connect.js'
import { containsText, sameText } from '../../database/text.js'
import type { Paging, User } from '../../http/operation.js'
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
  if (ownedBy !== undefined) matching = matching.where('owner_id', '=', ownedBy)
  if (search) {
    matching = matching.where(({ or, ref }) =>
      or([containsText(ref('name'), search), containsText(ref('full_path'), search)]),
    )
  }
  if (!viewer?.is_admin) {
    const open = viewer ? (['public', 'internal'] as const) : (['public'] as const)
    matching = matching.where(({ or, and, eb }) =>
      or([
        eb('owner_id', '=', viewer?.id ?? 0),
        and([eb('kind', '=', 'group'), eb('visibility', 'in', open)]),
      ]),
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

export function insertGroup(database: Database, values: Insertable<NamespaceTable>): Promise<NamespaceRow> {
  return database.insertInto('namespace').values(values).returningAll().executeTakeFirstOrThrow()
}
