import { type RawBuilder, sql, type SqlBool } from 'kysely'

import type { Database } from '../../database/connect.js'
import { dialectOf } from '../../database/dialect.js'
import { jsonRows } from '../../database/json-rows.js'
import type { Transaction } from '../../database/transaction.js'

/**
 * The manual order of issues. An issue that was moved has a position. All others follow in the order of their IDs: the ID
 * gives each a position, with room for others in between. So a move changes one row, and never a whole project.
 */

/** Distance between the positions of two issues that were not moved. */
export const GAP = 1024

/** Position before those of all issues that were not moved; half of the largest safe integer. */
const UNMOVED = 2 ** 52

/** The position of an issue that was not moved, in SQL. The text is that of indexes. */
export const UNMOVED_POSITION = `${UNMOVED} + issue.id * ${GAP}`

const POSITION = sql<number>`coalesce(issue.relative_position, ${sql.raw(UNMOVED_POSITION)})`

/** The place of an issue in the order. Issues of one position are in the order of their IDs. */
export interface IssuePosition {
  id: number
  position: number
}

export function positionOf(row: { id: number; relative_position: number | null }): number {
  return row.relative_position ?? UNMOVED + row.id * GAP
}

/** Whether an issue of the project was moved. */
export async function hasMovedIssues(database: Database, projectId: number): Promise<boolean> {
  const moved = await database
    .selectFrom('issue')
    .select('id')
    .where('project_id', '=', projectId)
    .where('relative_position', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return moved !== undefined
}

/** The issues of these projects next to a place, nearest first: at most `count`, without the issue `except`. */
export async function issuesBeside(
  tx: Transaction,
  projectIds: readonly number[],
  { from, side, count, except }: { from: IssuePosition; side: Side; count: number; except: number },
): Promise<IssuePosition[]> {
  const found: IssuePosition[] = []
  // One query for each project, so that each is answered by the index of the order.
  for (const projectId of projectIds) {
    found.push(
      ...(await besideIn(tx, projectId, from, side).where('id', '<>', except).limit(count).execute()),
    )
  }
  const sign = side === 'after' ? 1 : -1
  return found.toSorted((one, other) => sign * compare(one, other)).slice(0, count)
}

export type Side = 'before' | 'after'

function besideIn(tx: Transaction, projectId: number, { position, id }: IssuePosition, side: Side) {
  const [is, atLeast, way] = side === 'after' ? (['>', '>=', 'asc'] as const) : (['<', '<=', 'desc'] as const)
  return tx
    .selectFrom('issue')
    .select(['id', POSITION.as('position')])
    .where('project_id', '=', projectId)
    .where(() => sql<SqlBool>`${POSITION} ${sql.raw(atLeast)} ${position}`)
    .where(() => sql<SqlBool>`(${POSITION} ${sql.raw(is)} ${position} or issue.id ${sql.raw(is)} ${id})`)
    .orderBy(POSITION, way)
    .orderBy('issue.id', way)
}

/** Negative if the first comes before the second one. */
export function compare(one: IssuePosition, other: IssuePosition): number {
  return one.position - other.position || one.id - other.id
}

/** Gives issues new positions, which do not change their order. */
export async function setPositions(tx: Transaction, positions: readonly IssuePosition[]): Promise<void> {
  if (positions.length === 0) return
  const rows: RawBuilder<IssuePosition> = jsonRows(
    dialectOf(tx),
    { id: 'bigint', position: 'bigint' },
    positions,
  )
  await sql`
    update issue set relative_position = given.position from ${rows} as given
      where issue.id = given.id`.execute(tx)
}
