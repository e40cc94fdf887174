import type { Project, User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { inTransaction } from '../../database/transaction.js'
import {
  deleteMilestoneRow,
  insertMilestone,
  isTitleTaken,
  lockTitles,
  type MilestoneRow,
  milestonesOfGroupProjects,
  moveReleases,
} from '../../hosting/milestone-store.js'
import { type ApiError, apiError, notFound } from '../../http/errors.js'
import { moveMilestoneEvents } from '../../integrations/resource-event-log/store.js'
import { checkMayPromote } from '../access/check-may-promote.js'
import { moveIssuesToMilestone } from '../stores/issue-store.js'
import { moveMergeRequestsToMilestone } from '../stores/merge-request-store.js'
import { replaceMilestoneOnBoards } from '../stores/replace-on-boards.js'
import { requireMilestone, TITLE_TAKEN } from './milestones.js'

/**
 * Makes a project milestone one of the group of the project. It replaces all milestones with its title in the
 * projects of the group, also in their releases, issues, merge requests and boards. Returns the new milestone. Throws 403 for users who may not
 * manage the milestones of the group, 404 for an unknown milestone, and 400 for a project without a group or
 * if the title is used elsewhere in the hierarchy of the group.
 */
export async function promoteMilestone(
  database: Database,
  project: Project,
  user: User,
  milestoneId: number,
): Promise<MilestoneRow> {
  const { id: project_id, namespace_id: group_id } = project
  await checkMayPromote(database, user, {
    namespaceId: group_id,
    permission: 'manage_group_milestones',
    noGroup: () => failed('Project does not belong to a group.'),
  })
  return inTransaction(database, async (tx) => {
    await lockTitles(tx, { group_id })
    const { title, description, start_date, due_date } = await requireMilestone(
      tx,
      { project_id },
      milestoneId,
    )
    const replaced = (await milestonesOfGroupProjects(tx, group_id, title)).map(({ id }) => id)
    // It was deleted, or its project left the group.
    if (!replaced.includes(milestoneId)) throw notFound()
    if (await isTitleTaken(tx, { group_id }, title, replaced)) throw failed(`Title ${TITLE_TAKEN}`)
    const promoted = await insertMilestone(tx, { group_id }, { title, description, start_date, due_date })
    await moveReleases(tx, replaced, promoted.id)
    const replacement = { from: replaced, to: promoted.id }
    await moveIssuesToMilestone(tx, replacement)
    await moveMergeRequestsToMilestone(tx, replacement)
    await replaceMilestoneOnBoards(tx, replacement)
    await moveMilestoneEvents(tx, replacement)
    for (const id of replaced) await deleteMilestoneRow(tx, id)
    return promoted
  })
}

function failed(reason: string): ApiError {
  return apiError('milestone_not_promotable', { reason })
}
