import { ACCESS_LEVELS } from '../../access/access-levels.js'
import type { Project, User } from '../../access/caller.js'
import { isMemberOfProject, opennessFor } from '../../access/visibility.js'
import type { Transaction } from '../../database/transaction.js'
import { activeUsersAmong } from '../access/active-users.js'
import { setMergeRequestAssignees, setReviewers } from '../stores/merge-request-store.js'
import type { EditMergeRequest } from './schema.js'

type People = Pick<EditMergeRequest, 'assignee_ids' | 'assignee_id' | 'reviewer_ids'>

/** Replaces the assignees and the reviewers that are given; users who may not see it are left out. */
export async function changePeople(
  tx: Transaction,
  project: Project,
  id: number,
  { assignee_ids, assignee_id, reviewer_ids }: People,
): Promise<void> {
  const assignees = assignee_ids === undefined && assignee_id !== undefined ? [assignee_id] : assignee_ids
  if (assignees !== undefined) {
    await setMergeRequestAssignees(tx, id, await readersAmong(tx, project, assignees ?? []))
  }
  if (reviewer_ids !== undefined) {
    await setReviewers(tx, id, await readersAmong(tx, project, reviewer_ids ?? []))
  }
}

/** IDs of the active users among these who may read the merge requests of the project, each once. */
export function readersAmong(
  tx: Transaction,
  project: Project,
  wanted: readonly (number | null)[],
): Promise<number[]> {
  return activeUsersAmong(tx, wanted, (user) => isReader(tx, project, user))
}

async function isReader(tx: Transaction, project: Project, user: User): Promise<boolean> {
  if (user.is_admin) return true
  const isOpen = opennessFor(user).includes(project.visibility)
  if (isOpen && project.merge_requests_access_level === 'enabled') return true
  const row = await tx
    .selectFrom('project')
    .select('id')
    .where('id', '=', project.id)
    .where(() => isMemberOfProject(user, isOpen ? ACCESS_LEVELS.guest : ACCESS_LEVELS.reporter))
    .executeTakeFirst()
  return row !== undefined
}
