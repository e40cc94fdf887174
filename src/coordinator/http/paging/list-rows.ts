import { type Selectable, type SelectQueryBuilder, sql } from 'kysely'

import type { Database } from '../../database/connect.js'
import { countRows } from '../../database/count-rows.js'
import type { Tables } from '../../database/tables/database-tables.js'
import type { Paging } from '../page.js'
import { type ListOrder, orderTerms, pageOf } from './page-of.js'

/** One page of a list. */
export interface Rows<Row> {
  rows: Row[]
  /** Number of rows in the list, at most 10,001 (API, A7); undefined = not requested, as with a keyset. */
  total: number | undefined
}

/**
 * Returns one page of the rows of `order.table` that `matching` selects; `matching` itself has no `select`.
 */
export async function listRows<Name extends keyof Tables, Joined extends keyof Tables>(
  database: Database,
  matching: SelectQueryBuilder<Tables, Joined, object>,
  paging: Paging,
  order: ListOrder<Name>,
): Promise<Rows<Selectable<Tables[Name]>>> {
  const rows = await rowsOfPage(database, matching, paging, order)
  return { rows, total: await countAround(database, matching, paging, rows.length) }
}

/**
 * Like `listRows`, without counting. Earlier rows are skipped by id, through an index if there is one for the
 * order. Only the rows of the page are read.
 */
export async function rowsOfPage<Name extends keyof Tables, Joined extends keyof Tables>(
  database: Database,
  matching: SelectQueryBuilder<Tables, Joined, object>,
  paging: Paging,
  order: ListOrder<Name>,
): Promise<Selectable<Tables[Name]>[]> {
  const table = sql.table(order.table)
  const ids = matching
    .select(sql.ref<number>(`${order.table}.id`).as('id'))
    .$call((query) => pageOf(query, paging, order))
  const { rows } = await sql<Selectable<Tables[Name]>>`
    select * from ${table} where id in (${ids}) order by ${orderTerms(paging, order)}`.execute(database)
  return rows
}

/** Number of rows in the list. A page with `shown` rows that is not full needs no count. */
export async function countAround<Aliased, Table extends keyof Aliased, Row>(
  database: Database,
  matching: SelectQueryBuilder<Aliased, Table, Row>,
  { perPage, offset, keyset }: Paging,
  shown: number,
): Promise<number | undefined> {
  if (keyset) return undefined
  const isEnd = shown < perPage && (shown > 0 || offset === 0)
  return isEnd ? offset + shown : countRows(database, matching)
}
