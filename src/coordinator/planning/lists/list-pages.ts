import { MAX_COUNTED } from '../../database/count-rows.js'
import type { Paging } from '../../http/page.js'
import type { Rows } from '../../http/paging/list-rows.js'

/**
 * Whether a page of a list of all projects is read by the index of its order: with many rows, that fills the page long
 * before all of them are collected. Some orders have no index.
 */
export function isFilledByIndex(total: number, order: string | undefined, paging: Paging): boolean {
  const hasIndex = order !== 'milestone_due' && order !== 'label_priority' && order !== 'priority'
  const isEarly = paging.keyset !== undefined || paging.offset + paging.perPage <= MAX_COUNTED
  return total > MAX_COUNTED && hasIndex && isEarly
}

/** A page of the rows with these IDs, for a search: to read all texts once for the page and once to count takes longer. */
export async function pageAmong<Row>(
  ids: readonly number[],
  paging: Paging,
  read: () => Promise<Row[]>,
): Promise<Rows<Row>> {
  return { rows: ids.length === 0 ? [] : await read(), total: paging.keyset ? undefined : ids.length }
}
