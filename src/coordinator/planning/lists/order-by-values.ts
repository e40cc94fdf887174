import { type RawBuilder, type SelectQueryBuilder, sql, type SqlBool } from 'kysely'

import type { Tables } from '../../database/tables/database-tables.js'
import type { Paging } from '../../http/page.js'
import { UNMOVED_POSITION } from '../stores/issue-position-store.js'

type Table = 'issue' | 'merge_request'

/**
 * What replaces a missing value, so that the row comes last. The expressions are those of indexes. That of the manual order
 * is about issues, which alone have one.
 */
const MISSING = {
  due_date: { asc: "'9999-12-31'", desc: "'0000-01-01'" },
  milestone_due: { asc: "'9999-12-31'", desc: "'0000-01-01'" },
  weight: { asc: '9999999999', desc: '-1' },
  relative_position: { asc: UNMOVED_POSITION, desc: UNMOVED_POSITION },
  label_priority: { asc: '9999999999', desc: '-1' },
  merged_at: { asc: '9007199254740991', desc: '-1' },
} as const

type Value = keyof typeof MISSING

/** The orders by several values, the first one first. */
const SEVERAL: Record<string, readonly Value[]> = { priority: ['milestone_due', 'label_priority'] }

/** An order by values that rows may lack. */
type ValueOrder = Value | 'priority'

interface OrderByValues {
  /** The terms after `order by`, for few rows. */
  terms: RawBuilder<unknown>
  /**
   * As `terms`, for all rows, which are joined with their milestones as `due`, and with `rankedBy` as `ranked` if
   * `isRanked`. Undefined if the rows have the values themselves.
   */
  joinedTerms: RawBuilder<unknown> | undefined
  isRanked: boolean
}

type Ids<Name extends Table> = SelectQueryBuilder<Tables, Name, { id: number }>

/** One page of the IDs in this order, and the terms after `order by` for the rows with these IDs. */
export function pageByValues<Name extends Table>(
  table: Name,
  ids: Ids<Name>,
  { perPage, offset }: Paging,
  { order_by, sort = 'desc' }: { order_by?: string | undefined; sort?: 'asc' | 'desc' | undefined },
): [page: Ids<Name>, terms: RawBuilder<unknown>] {
  // A manual order has one direction.
  const direction = order_by === 'relative_position' ? 'asc' : sort
  const { terms, joinedTerms, isRanked } = orderByValues(table, order_by as ValueOrder, direction)
  const ordered = joinedTerms ? joined(table, ids, isRanked).orderBy(joinedTerms) : ids.orderBy(terms)
  return [ordered.limit(perPage).offset(offset), terms]
}

/** With the tables that `joinedTerms` are about. */
function joined<Name extends Table>(table: Name, ids: Ids<Name>, isRanked: boolean): Ids<Name> {
  const isDue = sql<SqlBool>`due.id = ${sql.ref(`${table}.milestone_id`)}`
  const isRank = sql<SqlBool>`ranked.row_id = ${sql.ref(`${table}.id`)}`
  return ids
    .leftJoin('milestone as due', (join) => join.on(isDue))
    .$if(isRanked, (query) => query.leftJoin(rankedBy(table).as('ranked'), (join) => join.on(isRank)))
}

function orderByValues(table: Table, by: ValueOrder, direction: 'asc' | 'desc'): OrderByValues {
  const way = sql.raw(direction)
  const values = SEVERAL[by] ?? [by as Value]
  const termsOf = (valueOf: (key: Value) => RawBuilder<unknown>) =>
    sql`${sql.join(
      values.map((key) => sql`coalesce(${valueOf(key)}, ${sql.raw(MISSING[key][direction])}) ${way}`),
    )}, ${sql.ref(`${table}.id`)} ${way}`
  const isRanked = values.includes('label_priority')
  return {
    terms: termsOf((key) => valueOf(table, key)),
    joinedTerms: isRanked || values.includes('milestone_due') ? termsOf(joinedValue(table)) : undefined,
    isRanked,
  }
}

function joinedValue(table: Table): (key: Value) => RawBuilder<unknown> {
  return (key) => {
    if (key === 'label_priority') return sql`ranked.priority`
    return key === 'milestone_due' ? sql`due.due_date` : valueOf(table, key)
  }
}

function valueOf(table: Table, key: Value): RawBuilder<unknown> {
  switch (key) {
    case 'milestone_due':
      return sql`(select milestone.due_date from milestone
        where milestone.id = ${sql.ref(`${table}.milestone_id`)})`
    case 'label_priority': {
      // That of the most important label.
      const labels = sql.table(`${table}_label`)
      return sql`(select min(label_priority.priority) from ${labels} as its
        join label_priority on label_priority.label_id = its.label_id
        where ${sql.ref(`its.${table}_id`)} = ${sql.ref(`${table}.id`)}
          and label_priority.project_id = ${sql.ref(`${table}.project_id`)})`
    }
    case 'due_date':
    case 'weight':
    case 'relative_position':
    case 'merged_at':
      return sql.ref(`${table}.${key}`)
  }
}

/**
 * Priorities of the most important labels of all rows that have one: to look for that of each takes longer. SQLite reads
 * the tables of a cross join in their order, which leaves out labels without a priority first.
 */
function rankedBy(table: Table): RawBuilder<{ row_id: number; priority: number }> {
  const id = sql.ref(`its.${table}_id`)
  return sql`(
    select ${id} as row_id, min(label_priority.priority) as priority from label_priority
      cross join ${sql.table(`${table}_label`)} as its
      cross join ${sql.table(table)} as labeled
      where its.label_id = label_priority.label_id and labeled.id = ${id}
        and labeled.project_id = label_priority.project_id
      group by ${id})`
}
