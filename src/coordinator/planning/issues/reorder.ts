import type { Database } from '../../database/connect.js'
import { lockRow } from '../../database/lock-row.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { apiError, notFound } from '../../http/errors.js'
import { type CallerInProject, lockTheIssue } from '../access/issue-access.js'
import { visibleIssues } from '../access/visible-issues.js'
import {
  compare,
  GAP,
  type IssuePosition,
  issuesBeside,
  positionOf,
  setPositions,
} from '../stores/issue-position-store.js'
import { type IssueRow, updateIssueRow } from '../stores/issue-store.js'
import type { ReorderIssue } from './schema.js'

/**
 * Moves an issue between two others, or next to one. These may be issues of other projects, as on the board of a group.
 * Throws 404 for an unknown issue and for hidden neighbors, and 422 without a neighbor and for two that are not in this
 * order.
 */
export async function reorderIssue(
  database: Database,
  caller: CallerInProject,
  { issue_iid, move_after_id, move_before_id }: ReorderIssue,
): Promise<IssueRow> {
  const named = { before: move_before_id ?? undefined, after: move_after_id ?? undefined }
  const ids = [named.before, named.after].filter((id) => id !== undefined)
  if (ids.length === 0) throw apiError('issue_not_reorderable')
  const projectIds = await projectsOf(database, caller, ids)
  return inTransaction(database, async (tx) => {
    // One change of the order at a time, because positions are computed from those of other issues. In one order, so that
    // two requests do not wait for each other.
    for (const id of projectIds) await lockRow(tx, 'project', id)
    const row = await lockTheIssue(tx, caller, issue_iid)
    const neighbors = await neighborsOf(tx, caller, named)
    const relative_position = await placeBetween(tx, { row, projectIds, ...neighbors })
    return updateIssueRow(tx, row, { relative_position, updated_at: Date.now() })
  })
}

/** IDs of the projects of the caller and of these issues, ascending. Throws 404 for issues that the caller may not see. */
async function projectsOf(
  database: Database,
  { project, user }: CallerInProject,
  ids: readonly number[],
): Promise<number[]> {
  const issues = await visibleIssues(database, user, ids)
  if (issues.length < new Set(ids).size) throw notFound()
  const all = new Set([project.id, ...issues.map(({ project_id }) => project_id)])
  return [...all].toSorted((a, b) => a - b)
}

interface Neighbors {
  before: IssuePosition | undefined
  after: IssuePosition | undefined
}

async function neighborsOf(
  tx: Transaction,
  { user }: CallerInProject,
  { before, after }: { before: number | undefined; after: number | undefined },
): Promise<Neighbors> {
  const ids = [before, after].filter((id) => id !== undefined)
  const issues = new Map((await visibleIssues(tx, user, ids)).map((issue) => [issue.id, issue]))
  const find = (id: number | undefined): IssuePosition | undefined => {
    if (id === undefined) return undefined
    const issue = issues.get(id)
    if (!issue) throw notFound()
    return { id, position: positionOf(issue) }
  }
  return { before: find(before), after: find(after) }
}

interface Move extends Neighbors {
  row: IssueRow
  projectIds: readonly number[]
}

/** A free position between the neighbors. Makes room for it if there is none. */
async function placeBetween(tx: Transaction, move: Move): Promise<number> {
  const { row, projectIds, before, after } = move
  const isOrdered = !before || !after || compare(before, after) < 0
  if (!isOrdered || before?.id === row.id || after?.id === row.id) throw apiError('issue_not_reorderable')
  const beside = async (from: IssuePosition | undefined, side: 'before' | 'after') =>
    from && (await issuesBeside(tx, projectIds, { from, side, count: 1, except: row.id }))[0]
  const low = before ?? (await beside(after, 'before'))
  const high = after ?? (await beside(before, 'after'))
  if (!low) return (high?.position ?? 0) - GAP
  // Half of the distance of new issues, which come after it.
  if (!high) return low.position + GAP / 2
  // The sum of two positions may be more than the largest safe integer.
  const middle = low.position + Math.floor((high.position - low.position) / 2)
  return middle > low.position && middle < high.position ? middle : makeRoom(tx, move, low)
}

/** Numbers of issues that are moved apart, until there is room. */
const WINDOWS = [16, 128, 1024, 8192]

/** Moves the issues behind `low` apart, as few as possible. Returns a free position behind it. */
async function makeRoom(tx: Transaction, { row, projectIds }: Move, low: IssuePosition): Promise<number> {
  for (const count of WINDOWS) {
    const wanted = { from: low, side: 'after', count: count + 1, except: row.id } as const
    const behind = await issuesBeside(tx, projectIds, wanted)
    const moved = behind.slice(0, count)
    const end = behind[count]?.position ?? low.position + (count + 2) * GAP
    const step = Math.floor((end - low.position) / (moved.length + 2))
    if (step < 2) continue
    await setPositions(
      tx,
      moved.map(({ id }, index) => ({ id, position: low.position + (index + 2) * step })),
    )
    return low.position + step
  }
  throw apiError('issue_not_reorderable')
}
