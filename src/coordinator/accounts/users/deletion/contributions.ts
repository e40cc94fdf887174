import { reassignCommitStatuses } from '../../../ci/engine/commit-status-store.js'
import { reassignDeployments } from '../../../ci/engine/deployments/deployment-store.js'
import { reassignJobs } from '../../../ci/engine/job-store.js'
import { reassignPipelines } from '../../../ci/engine/pipeline-store.js'
import { deactivateSchedules, reassignSchedules } from '../../../ci/schedules/store.js'
import { reassignProjects } from '../../../database/stores/project-store.js'
import type { Transaction } from '../../../database/transaction.js'
import { reassignNotes } from '../../../hosting/note-store.js'
import { reassignReleases } from '../../../hosting/release-store.js'
import { reassignSnippets } from '../../../hosting/snippets/store.js'
import { reassignResourceEvents } from '../../../integrations/resource-event-log/store.js'

/**
 * Contributions, which are part of the history of projects and are kept when their author is deleted. Other
 * rows that refer to a user are deleted with the user or get a null reference, as their foreign keys define.
 */
export const CONTRIBUTIONS = [
  ['project', 'creator_id'],
  ['pipeline', 'user_id'],
  ['job', 'user_id'],
  ['commit_status', 'user_id'],
  ['deployment', 'user_id'],
  ['release', 'author_id'],
  ['issue', 'author_id'],
  ['merge_request', 'author_id'],
  ['epic', 'author_id'],
  ['resource_event', 'user_id'],
  ['note', 'author_id'],
  ['snippet', 'author_id'],
  ['pipeline_schedule', 'owner_id'],
] as const

/**
 * Assigns the contributions to the ghost user, except those of planning (`RemovalDeps.reassignPlanning`). Schedules
 * become inactive until another user takes ownership.
 */
export async function transferContributions(tx: Transaction, userId: number, ghost: number): Promise<void> {
  await deactivateSchedules(tx, userId)
  await reassignProjects(tx, userId, ghost)
  await reassignPipelines(tx, userId, ghost)
  await reassignJobs(tx, userId, ghost)
  await reassignCommitStatuses(tx, userId, ghost)
  await reassignDeployments(tx, userId, ghost)
  await reassignReleases(tx, userId, ghost)
  await reassignResourceEvents(tx, userId, ghost)
  await reassignNotes(tx, userId, ghost)
  await reassignSnippets(tx, userId, ghost)
  await reassignSchedules(tx, userId, ghost)
}
