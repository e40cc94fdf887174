import type { Database } from '../../../database/connect.js'
import type { Transaction } from '../../../database/transaction.js'

/** IDs of the context commits of a merge request, in the order in which they were added. */
export async function contextCommitsOf(database: Database, mergeRequestId: number): Promise<string[]> {
  const rows = await database
    .selectFrom('merge_request_context_commit')
    .select('sha')
    .where('merge_request_id', '=', mergeRequestId)
    .orderBy('id')
    .execute()
  return rows.map(({ sha }) => sha)
}

export async function insertContextCommits(
  tx: Transaction,
  mergeRequestId: number,
  shas: readonly string[],
): Promise<void> {
  const now = Date.now()
  const rows = shas.map((sha) => ({ merge_request_id: mergeRequestId, sha, created_at: now }))
  await tx.insertInto('merge_request_context_commit').values(rows).execute()
}

export async function deleteContextCommits(
  tx: Transaction,
  mergeRequestId: number,
  shas: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom('merge_request_context_commit')
    .where('merge_request_id', '=', mergeRequestId)
    .where('sha', 'in', shas)
    .execute()
}
