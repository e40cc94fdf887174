import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { inTransaction } from '../../database/transaction.js'
import { apiError, notFound } from '../../http/errors.js'
import { type CallerInProject, lockTheIssue, requireIssue } from '../access/issue-access.js'
import { visibleIssues } from '../access/visible-issues.js'
import {
  deleteLink,
  findIssue,
  insertLink,
  type IssueLinkRow,
  type IssueRow,
  linksOf,
  lockIssue,
} from '../stores/issue-store.js'
import type { CreateLink } from './schema.js'

interface Linked {
  link: IssueLinkRow
  /** The issue of the path. */
  source: IssueRow
}

/** Links two issues. Throws 404 for an issue that is unknown or hidden, and 409 if the two are linked already. */
export async function createIssueLink(
  database: Database,
  caller: CallerInProject & { user: User },
  { issue_iid, target_project_id, target_issue_iid, link_type = 'relates_to' }: CreateLink,
): Promise<Linked> {
  const source = await requireIssue(database, caller, issue_iid)
  const target = await targetIssue(database, caller.user, target_project_id, target_issue_iid)
  if (!target || target.id === source.id) throw notFound()
  return inTransaction(database, async (tx) => {
    // In the order of their IDs, so that two requests for the same pair do not deadlock.
    for (const id of [source.id, target.id].toSorted((a, b) => a - b)) {
      if (!(await lockIssue(tx, id))) throw notFound()
    }
    const ends = (await linksOf(tx, source.id)).flatMap(({ source_id, target_id }) => [source_id, target_id])
    if (ends.includes(target.id)) throw apiError('issue_link_exists')
    const [from, to] = link_type === 'is_blocked_by' ? [target, source] : [source, target]
    const stored = link_type === 'relates_to' ? link_type : 'blocks'
    return { link: await insertLink(tx, { source_id: from.id, target_id: to.id, link_type: stored }), source }
  })
}

async function targetIssue(
  database: Database,
  user: User,
  project: number | string,
  iid: number,
): Promise<IssueRow | undefined> {
  const isId = typeof project === 'number' || /^\d+$/.test(project)
  if (isId && !Number.isSafeInteger(Number(project))) return undefined
  const found = await database
    .selectFrom('project')
    .select('id')
    .$if(isId, (query) => query.where('id', '=', Number(project)))
    .$if(!isId, (query) =>
      query.where(({ eb, fn }) => eb(fn('lower', ['full_path']), '=', String(project).toLowerCase())),
    )
    .executeTakeFirst()
  const issue = found && (await findIssue(database, found.id, iid))
  return issue && (await visibleIssues(database, user, [issue.id]))[0]
}

/** Throws 404 for an unknown issue or link, and for a link to an issue that the caller may not see. */
export async function deleteIssueLink(
  database: Database,
  caller: CallerInProject,
  { issue_iid, issue_link_id }: { issue_iid: number; issue_link_id: number },
): Promise<Linked> {
  return inTransaction(database, async (tx) => {
    const source = await lockTheIssue(tx, caller, issue_iid)
    const link = await deleteLink(tx, source.id, issue_link_id)
    const [other] = link ? await visibleIssues(tx, caller.user, [otherEnd(link, source.id)]) : []
    if (!link || !other) throw notFound()
    return { link, source }
  })
}

/** The ID of the issue at the end of a link that is not `id`. */
export function otherEnd({ source_id, target_id }: IssueLinkRow, id: number): number {
  return source_id === id ? target_id : source_id
}
