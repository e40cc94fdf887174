import type { Database } from '../../database/connect.js'

export interface CustomAttribute {
  key: string
  value: string
}

/**
 * The custom attributes that administrators set for these projects or groups, in the order in which they were
 * first set.
 */
export async function customAttributesOf(
  database: Database,
  owner: 'project_id' | 'group_id',
  ids: number[],
): Promise<Map<number, CustomAttribute[]>> {
  const found = new Map(ids.map((id): [number, CustomAttribute[]] => [id, []]))
  if (ids.length === 0) return found
  const rows = await database
    .selectFrom('custom_attribute')
    .select([`${owner} as owner_id`, 'key', 'value'])
    .where(owner, 'in', ids)
    .orderBy('id')
    .execute()
  for (const { owner_id, key, value } of rows) found.get(owner_id ?? 0)?.push({ key, value })
  return found
}
