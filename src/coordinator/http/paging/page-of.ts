import { type RawBuilder, type SelectQueryBuilder, sql, type SqlBool } from 'kysely'

import type { Keyset, Paging } from '../page.js'

export interface ListOrder<Table extends string = string> {
  /** The table or alias whose `id` breaks ties between rows. */
  table: Table
  /** A column of that table. */
  column: string
  direction: 'asc' | 'desc'
}

/** Orders the query: by the keyset, or else by `order`. */
function inOrder<Tables, Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  paging: Paging,
  order: ListOrder,
): SelectQueryBuilder<Tables, Table, Row> {
  return query.orderBy(orderTerms(paging, order))
}

/** The terms after `order by`. */
export function orderTerms({ keyset }: Paging, order: ListOrder): RawBuilder<unknown> {
  const { column, direction } = keyset ?? order
  const columns = column === 'id' ? ['id'] : [column, 'id']
  return sql.join(columns.map((one) => sql`${sql.ref(`${order.table}.${one}`)} ${sql.raw(direction)}`))
}

/**
 * Orders the query and limits it to one page. With a keyset, the page starts after the row that the cursor
 * names, without skipping rows.
 */
export function pageOf<Tables, Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  paging: Paging,
  order: ListOrder,
): SelectQueryBuilder<Tables, Table, Row> {
  const { perPage, offset, keyset } = paging
  // SQLite plans a statement again each time its limit is a parameter. The sizes of pages are few.
  const cut = inOrder(query, paging, order).limit(sql.lit(perPage))
  if (!keyset) return cut.offset(offset)
  return keyset.after ? cut.where(isBehind(keyset, keyset.after, order.table)) : cut
}

function isBehind(
  { column, direction }: Keyset,
  { value, id }: NonNullable<Keyset['after']>,
  table: string,
): RawBuilder<SqlBool> {
  const is = sql.raw(direction === 'asc' ? '>' : '<')
  const rowId = sql.ref(`${table}.id`)
  if (value === undefined) return sql`${rowId} ${is} ${id}`
  return sql`(${sql.ref(`${table}.${column}`)}, ${rowId}) ${is} (${value}, ${id})`
}
