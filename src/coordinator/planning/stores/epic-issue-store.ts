import { type Selectable, sql } from 'kysely'

import type { User } from '../../access/caller.js'
import { maySeeGroup } from '../../access/visibility.js'
import type { Database } from '../../database/connect.js'
import { countRows } from '../../database/count-rows.js'
import { dialectOf } from '../../database/dialect.js'
import { jsonRows } from '../../database/json-rows.js'
import type { EpicIssueTable } from '../../database/tables/epics.js'
import type { Transaction } from '../../database/transaction.js'
import { emitPlanned } from '../../hosting/planned-changes.js'
import { type PlacedRow, positionBefore } from './move-among.js'

export type EpicIssueRow = Selectable<EpicIssueTable>

/** The epic of an issue, as the record of the issue names it. */
export interface EpicOfIssue {
  id: number
  iid: number
  group_id: number
  title: string
  /** Full path of its group. */
  full_path: string
}

/** The epics of issues, by the IDs of the issues; without epics of groups that the viewer may not see. */
export async function epicsOfIssues(
  database: Database,
  viewer: User | undefined,
  issueIds: readonly number[],
): Promise<Map<number, EpicOfIssue>> {
  if (issueIds.length === 0) return new Map()
  const rows = await database
    .selectFrom('epic_issue')
    .innerJoin('epic', 'epic.id', 'epic_issue.epic_id')
    .innerJoin('namespace', 'namespace.id', 'epic.group_id')
    .select(['epic_issue.issue_id', 'epic.id', 'epic.iid', 'epic.group_id', 'epic.title'])
    .select('namespace.full_path')
    .where('epic_issue.issue_id', 'in', issueIds)
    .where(() => maySeeGroup(viewer))
    .execute()
  return new Map(rows.map(({ issue_id, ...epic }) => [issue_id, epic]))
}

/** The place of an issue in its epic; undefined if it has none. */
export function findEpicIssue(
  database: Database,
  named: { id: number; epicId: number } | { issueId: number },
): Promise<EpicIssueRow | undefined> {
  const query = database.selectFrom('epic_issue').selectAll()
  return 'issueId' in named
    ? query.where('issue_id', '=', named.issueId).executeTakeFirst()
    : query.where('id', '=', named.id).where('epic_id', '=', named.epicId).executeTakeFirst()
}

export function countEpicIssues(database: Database, epicId: number): Promise<number> {
  return countRows(database, database.selectFrom('epic_issue').where('epic_id', '=', epicId))
}

/** All issues of an epic in their order. */
export function placedEpicIssues(database: Database, epicId: number): Promise<PlacedRow[]> {
  return database
    .selectFrom('epic_issue')
    .select(['id', 'position'])
    .where('epic_id', '=', epicId)
    .orderBy('position')
    .orderBy('id')
    .execute()
}

/** Makes an issue, which `tx` has locked, the first one of an epic, which `tx` has locked, instead of its present epic. */
export async function putIntoEpic(tx: Transaction, epicId: number, issueId: number): Promise<EpicIssueRow> {
  await takeFromEpic(tx, issueId)
  const first = await tx
    .selectFrom('epic_issue')
    .select('position')
    .where('epic_id', '=', epicId)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
  const position = positionBefore(first?.position)
  emitPlanned(tx, { epic_id: epicId })
  return tx
    .insertInto('epic_issue')
    .values({ epic_id: epicId, issue_id: issueId, position, created_at: Date.now() })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Takes an issue, which `tx` has locked, out of its epic. */
export async function takeFromEpic(tx: Transaction, issueId: number): Promise<void> {
  const place = await tx
    .deleteFrom('epic_issue')
    .where('issue_id', '=', issueId)
    .returning('epic_id')
    .executeTakeFirst()
  if (place) emitPlanned(tx, place)
}

/** Gives the epic of an issue to the issue that it has become. */
export async function moveEpicOfIssue(tx: Transaction, from: number, to: number): Promise<void> {
  const place = await tx
    .updateTable('epic_issue')
    .set({ issue_id: to })
    .where('issue_id', '=', from)
    .returning('epic_id')
    .executeTakeFirst()
  if (place) emitPlanned(tx, place)
}

/** Gives issues of an epic, which `tx` has locked, new positions. */
export async function placeEpicIssues(
  tx: Transaction,
  epicId: number,
  places: readonly PlacedRow[],
): Promise<void> {
  const rows = jsonRows<PlacedRow>(dialectOf(tx), { id: 'bigint', position: 'bigint' }, places)
  await sql`
    update epic_issue set position = given.position from ${rows} as given
      where epic_issue.id = given.id`.execute(tx)
  emitPlanned(tx, { epic_id: epicId })
}
