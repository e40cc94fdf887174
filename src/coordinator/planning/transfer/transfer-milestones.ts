import type { Transaction } from '../../database/transaction.js'
import {
  foreignMilestonesOfProject,
  insertMilestone,
  milestonesForProject,
  moveReleases,
} from '../../hosting/milestone-store.js'
import { moveMilestoneEvents } from '../../integrations/resource-event-log/store.js'
import { moveIssuesToMilestone } from '../stores/issue-store.js'
import { moveMergeRequestsToMilestone } from '../stores/merge-request-store.js'
import { replaceMilestoneOnBoards } from '../stores/replace-on-boards.js'

/**
 * Replaces the milestones of groups that a project has left by those with the same title that it now has, or
 * by copies that belong to the project (API, C2).
 */
export async function transferMilestones(tx: Transaction, project_id: number): Promise<void> {
  for (const foreign of await foreignMilestonesOfProject(tx, project_id)) {
    const { title, description, start_date, due_date, state } = foreign
    const [same] = await milestonesForProject(tx, project_id, { titles: [title] })
    const copy = { title, description, start_date, due_date, state }
    const { id } = same ?? (await insertMilestone(tx, { project_id }, copy))
    await moveReleases(tx, [foreign.id], id, project_id)
    const replacement = { from: [foreign.id], to: id, projectId: project_id }
    await moveIssuesToMilestone(tx, replacement)
    await moveMergeRequestsToMilestone(tx, replacement)
    await replaceMilestoneOnBoards(tx, replacement)
    await moveMilestoneEvents(tx, replacement)
  }
}
