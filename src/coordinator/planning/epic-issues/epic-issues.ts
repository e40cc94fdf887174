import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { apiError, notFound } from '../../http/errors.js'
import type { Paging } from '../../http/page.js'
import { countAround, type Rows } from '../../http/paging/list-rows.js'
import { lockManagedIssue } from '../access/managed-issue.js'
import { fromEachProject, readableProjects, visibleIssues } from '../access/visible-issues.js'
import { assignEpic } from '../epic-of-issue.js'
import { requireEpic } from '../epics/epics.js'
import {
  type EpicIssueRow,
  findEpicIssue,
  placedEpicIssues,
  placeEpicIssues,
  takeFromEpic,
} from '../stores/epic-issue-store.js'
import { type EpicRow, lockEpic } from '../stores/epic-store.js'
import type { IssueRow } from '../stores/issue-store.js'
import { moveAmong, type MoveTarget } from '../stores/move-among.js'

/** An issue and its epic. */
export interface EpicIssueLink {
  place: EpicIssueRow
  epic: EpicRow
  issue: IssueRow
}

/** One page of the issues of an epic that the caller may see, in their order. */
export async function listEpicIssues(
  database: Database,
  epicId: number,
  viewer: User | undefined,
  paging: Paging,
): Promise<Rows<EpicIssueRow>> {
  const projects = readableProjects(database, { viewer, non_archived: false })
  const matching = fromEachProject(projects, viewer)
    .innerJoin('epic_issue', 'epic_issue.issue_id', 'issue.id')
    .where('epic_issue.epic_id', '=', epicId)
  const rows = await matching
    .selectAll('epic_issue')
    .orderBy('epic_issue.position')
    .orderBy('epic_issue.id')
    .limit(paging.perPage)
    .offset(paging.offset)
    .execute()
  return { rows, total: await countAround(database, matching, paging, rows.length) }
}

/** The epic of a path, and the caller. */
export interface EpicScope {
  groupId: number
  iid: number
  user: User
}

/**
 * Gives an issue to an epic, instead of its present one. Throws 404 for an issue that is unknown or hidden, 403 if the caller
 * is no reporter of its project, and 400 if the epic has too many issues.
 */
export function addEpicIssue(
  database: Database,
  { groupId, iid, user }: EpicScope,
  issueId: number,
): Promise<EpicIssueLink> {
  return inTransaction(database, async (tx) => {
    const epic = await requireEpic(tx, groupId, iid)
    const issue = await lockManagedIssue(tx, user, issueId)
    return { place: await assignEpic(tx, epic, issue.id), epic, issue }
  })
}

/** Throws 404 for an unknown place or a hidden issue, and 403 if the caller is no reporter of its project. */
export function removeEpicIssue(
  database: Database,
  { groupId, iid, user }: EpicScope,
  epicIssueId: number,
): Promise<EpicIssueLink> {
  return inTransaction(database, async (tx) => {
    const epic = await requireEpic(tx, groupId, iid)
    const found = await requirePlace(tx, epic.id, epicIssueId)
    const issue = await lockManagedIssue(tx, user, found.issue_id)
    const place = await requirePlace(tx, epic.id, epicIssueId)
    await takeFromEpic(tx, issue.id)
    return { place, epic, issue }
  })
}

/** Throws 404 for an unknown place or a hidden issue, and 422 for neighbors of another epic or in another order. */
export async function moveEpicIssue(
  database: Database,
  { groupId, iid, user }: EpicScope,
  epicIssueId: number,
  target: MoveTarget,
): Promise<EpicRow> {
  return inTransaction(database, async (tx) => {
    const { id } = await requireEpic(tx, groupId, iid)
    const epic = await lockEpic(tx, groupId, id)
    if (!epic) throw notFound('Epic')
    const place = await requirePlace(tx, epic.id, epicIssueId)
    const [issue] = await visibleIssues(tx, user, [place.issue_id])
    if (!issue) throw notFound()
    const places = moveAmong(await placedEpicIssues(tx, epic.id), place.id, target)
    if (!places) throw apiError('epic_item_not_reorderable')
    await placeEpicIssues(tx, epic.id, places)
    return epic
  })
}

async function requirePlace(tx: Transaction, epicId: number, id: number): Promise<EpicIssueRow> {
  const place = await findEpicIssue(tx, { id, epicId })
  if (!place) throw notFound()
  return place
}
