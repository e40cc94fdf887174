import type { Database } from '../../database/connect.js'
import type { Event } from './schema.js'
import type { ActivityRow } from './store.js'

export type EventTarget = Pick<Event, 'target_id' | 'target_iid' | 'target_type' | 'target_title'>

export const NO_TARGET: EventTarget = {
  target_id: null,
  target_iid: null,
  target_type: null,
  target_title: null,
}

/** What the events are on, by ID of the event; events on a project or a ref have none. One query for each kind. */
export async function targetsOf(
  database: Database,
  rows: readonly ActivityRow[],
): Promise<Map<number, EventTarget>> {
  const targets = new Map<number, EventTarget>()
  for (const kind of KINDS) {
    const ids = [...new Set(rows.flatMap((row) => row[`${kind.table}_id`] ?? []))]
    const found = await titlesOf(database, kind.table, ids)
    for (const row of rows) {
      const target = found.get(row[`${kind.table}_id`] ?? 0)
      if (!target) continue
      const { id: target_id, iid: target_iid, title: target_title } = target
      targets.set(row.id, { target_id, target_iid, target_type: kind.type, target_title })
    }
  }
  return targets
}

const KINDS = [
  { table: 'issue', type: 'Issue' },
  { table: 'merge_request', type: 'MergeRequest' },
  { table: 'milestone', type: 'Milestone' },
] as const

interface Titled {
  id: number
  iid: number
  title: string
}

async function titlesOf(
  database: Database,
  table: (typeof KINDS)[number]['table'],
  ids: readonly number[],
): Promise<Map<number, Titled>> {
  if (ids.length === 0) return new Map()
  const rows = await database
    .selectFrom(table)
    .select(['id', 'iid', 'title'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}
