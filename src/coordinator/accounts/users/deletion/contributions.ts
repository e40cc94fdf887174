import { reassignProjects } from '../../../database/stores/project-store.js'
import type { Transaction } from '../../../database/transaction.js'

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
  ['pipeline_schedule', 'owner_id'],
] as const

/**
 * Assigns the contributions to the ghost user. Schedules become inactive until another user takes ownership.
 */
export async function transferContributions(tx: Transaction, userId: number, ghost: number): Promise<void> {
  await tx.updateTable('pipeline_schedule').set({ active: false }).where('owner_id', '=', userId).execute()
  await reassignProjects(tx, userId, ghost)
  await tx.updateTable('pipeline').set({ user_id: ghost }).where('user_id', '=', userId).execute()
  await tx.updateTable('job').set({ user_id: ghost }).where('user_id', '=', userId).execute()
  await tx.updateTable('commit_status').set({ user_id: ghost }).where('user_id', '=', userId).execute()
  await tx.updateTable('deployment').set({ user_id: ghost }).where('user_id', '=', userId).execute()
  await tx.updateTable('release').set({ author_id: ghost }).where('author_id', '=', userId).execute()
  await tx.updateTable('pipeline_schedule').set({ owner_id: ghost }).where('owner_id', '=', userId).execute()
}
