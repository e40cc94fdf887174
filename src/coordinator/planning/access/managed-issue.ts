import { ACCESS_LEVELS } from '../../access/access-levels.js'
import type { User } from '../../access/caller.js'
import { whyReadOnly } from '../../access/read-only.js'
import { isMemberOfProject } from '../../access/visibility.js'
import type { Transaction } from '../../database/transaction.js'
import { forbidden, notFound } from '../../http/errors.js'
import { type IssueRow, lockIssue } from '../stores/issue-store.js'
import { visibleIssues } from './visible-issues.js'

/**
 * Locks an issue of any project until `tx` ends. Throws 404 for an issue that is unknown or hidden, and 403 if the user is no
 * reporter of its project or the project is read-only.
 */
export async function lockManagedIssue(tx: Transaction, user: User, id: number): Promise<IssueRow> {
  const locked = await lockIssue(tx, id)
  const [issue] = locked ? await visibleIssues(tx, user, [id]) : []
  if (!issue) throw notFound('Issue')
  const project = await tx
    .selectFrom('project')
    .selectAll()
    .select(() => isMemberOfProject(user, ACCESS_LEVELS.reporter).as('is_reporter'))
    .where('id', '=', issue.project_id)
    .executeTakeFirst()
  const isAllowed = project && (user.is_admin || Boolean(project.is_reporter))
  if (!isAllowed || whyReadOnly(project) !== undefined) throw forbidden()
  return issue
}
