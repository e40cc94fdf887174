import type { Transaction } from '../../../database/transaction.js'

/**
 * What tells of the past of projects and stays when who did it goes. Everything else that names a user goes along with
 * them, or names nobody then: their rows say which.
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

/** Gives them to the ghost. Its schedules run no more until somebody takes them over. */
export async function transferContributions(tx: Transaction, userId: number, ghost: number): Promise<void> {
  await tx.updateTable('pipeline_schedule').set({ active: false }).where('owner_id', '=', userId).execute()
  await tx.updateTable('project').set({ creator_id: ghost }).where('creator_id', '=', userId).execute()
  await tx.updateTable('pipeline').set({ user_id: ghost }).where('user_id', '=', userId).execute()
  await tx.updateTable('job').set({ user_id: ghost }).where('user_id', '=', userId).execute()
  await tx.updateTable('commit_status').set({ user_id: ghost }).where('user_id', '=', userId).execute()
  await tx.updateTable('deployment').set({ user_id: ghost }).where('user_id', '=', userId).execute()
  await tx.updateTable('release').set({ author_id: ghost }).where('author_id', '=', userId).execute()
  await tx.updateTable('pipeline_schedule').set({ owner_id: ghost }).where('owner_id', '=', userId).execute()
}
