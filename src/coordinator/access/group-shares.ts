import { sql } from 'kysely'

import { groupBy } from '../../lib/group-by.js'
import type { Database } from '../database/connect.js'
import { isLive } from './is-live.js'
import { maySeeGroup, type Viewer } from './visibility.js'

export interface SharedWith {
  shared_id: number
  group_id: number
  group_name: string
  group_full_path: string
  group_access_level: number
  expires_at: number | null
}

/** Groups with which each of the subjects is shared, if the viewer may see them. */
export async function sharesOf(
  database: Database,
  column: 'project_id' | 'group_id',
  ids: number[],
  viewer: Viewer,
): Promise<Map<number, SharedWith[]>> {
  if (ids.length === 0) return new Map()
  const rows = await database
    .selectFrom('share')
    .innerJoin('namespace as invited', 'invited.id', 'share.with_group_id')
    .select([
      sql<number>`${sql.ref(`share.${column}`)}`.as('shared_id'),
      'invited.id as group_id',
      'invited.name as group_name',
      'invited.full_path as group_full_path',
      'share.group_access as group_access_level',
      'share.expires_at',
    ])
    .where(`share.${column}`, 'in', ids)
    .where(isLive('share', Date.now()))
    .where(maySeeGroup(viewer, 'invited'))
    .orderBy('share.id')
    .execute()
  return groupBy(rows, ({ shared_id: id }) => id)
}
