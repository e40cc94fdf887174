import type { Database } from '../../database/connect.js'
import { lockRow } from '../../database/lock-row.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { apiError, notFound } from '../../http/errors.js'
import { type CallerInProject, lockTheIssue } from '../access/issue-access.js'
import { type IssueRow, placeIssues, spreadIssues, updateIssueRow } from '../stores/issue-store.js'
import type { ReorderIssue } from './schema.js'

/**
 * Places an issue between two others, or next to one. Throws 404 for an unknown issue and for neighbors of
 * another project, and 422 without a neighbor.
 */
export function reorderIssue(
  database: Database,
  caller: CallerInProject,
  { issue_iid, move_after_id, move_before_id }: ReorderIssue,
): Promise<IssueRow> {
  return inTransaction(database, async (tx) => {
    const { id: projectId } = caller.project
    // One change of the order at a time: places are computed from those of other issues.
    await lockRow(tx, 'project', projectId)
    const row = await lockTheIssue(tx, caller, issue_iid)
    await placeIssues(tx, projectId)
    const neighbors = { following: move_after_id ?? undefined, preceding: move_before_id ?? undefined }
    let position = await between(tx, row, neighbors)
    if (position === undefined) {
      await spreadIssues(tx, projectId)
      position = await between(tx, row, neighbors)
    }
    if (position === undefined) throw apiError('issue_not_reorderable')
    return updateIssueRow(tx, row, { relative_position: position, updated_at: Date.now() })
  })
}

interface Neighbors {
  following: number | undefined
  preceding: number | undefined
}

/** A place between the neighbors; undefined if there is none free. Throws 422 without a neighbor. */
async function between(
  tx: Transaction,
  row: IssueRow,
  { following, preceding }: Neighbors,
): Promise<number | undefined> {
  if (following === undefined && preceding === undefined) {
    throw apiError('issue_not_reorderable')
  }
  const above = preceding === undefined ? undefined : await positionOf(tx, row, preceding)
  const below = following === undefined ? undefined : await positionOf(tx, row, following)
  const low = above ?? (await nextTo(tx, row, below ?? 0, 'before'))
  const high = below ?? (await nextTo(tx, row, above ?? 0, 'after'))
  const middle = Math.floor((low + high) / 2)
  return middle > low && middle < high ? middle : undefined
}

async function positionOf(tx: Transaction, { project_id }: IssueRow, id: number): Promise<number> {
  const found = await tx
    .selectFrom('issue')
    .select('relative_position')
    .where('id', '=', id)
    .where('project_id', '=', project_id)
    .executeTakeFirst()
  if (!found) throw notFound()
  return found.relative_position ?? 0
}

/** The nearest place that another issue has on this side; far away if there is none. */
async function nextTo(
  tx: Transaction,
  { id, project_id }: IssueRow,
  position: number,
  side: 'before' | 'after',
): Promise<number> {
  const [is, way, away] = side === 'before' ? (['<', 'desc', -FAR] as const) : (['>', 'asc', FAR] as const)
  const found = await tx
    .selectFrom('issue')
    .select('relative_position')
    .where('project_id', '=', project_id)
    .where('id', '!=', id)
    .where('relative_position', is, position)
    .orderBy('relative_position', way)
    .limit(1)
    .executeTakeFirst()
  return found?.relative_position ?? position + away
}

/** Distance from the first or last issue to one that becomes the first or last. */
const FAR = 2048
