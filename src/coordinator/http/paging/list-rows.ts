import { type Selectable, type SelectQueryBuilder, sql } from 'kysely'

import type { Database } from '../../database/connect.js'
import { countRows } from '../../database/count-rows.js'
import type { Tables } from '../../database/tables/database-tables.js'
import type { Paging } from '../operation.js'
import { type ListOrder, orderTerms, pageOf } from './page-of.js'

/** What one page of a list shows. */
export interface Rows<Row> {
  rows: Row[]
  /** Rows of the whole list, 10,001 standing for more (API, A7); undefined = not asked for, as with a keyset. */
  total: number | undefined
}

/** One page of the rows of `order.table` that `matching` leaves, which selects nothing by itself. */
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
 * The same of a list that is not counted. The rows before the page are passed over by their ids, in an index where there
 * is one for the order; only those of the page are read.
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

/** How many rows the list has, of which the page shows `shown`: one that is not full tells by itself. */
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
