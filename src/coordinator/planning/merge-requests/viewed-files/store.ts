import type { Database } from '../../../database/connect.js'
import type { Transaction } from '../../../database/transaction.js'

/** Most marks of one user in one merge request: beyond them, the oldest ones are deleted. */
const MAX_MARKS = 5000

/** The marks of one user in one merge request. */
export interface MarksOf {
  mergeRequestId: number
  userId: number
}

function marksOf(database: Database, { mergeRequestId, userId }: MarksOf) {
  return database
    .selectFrom('viewed_file')
    .where('merge_request_id', '=', mergeRequestId)
    .where('user_id', '=', userId)
}

/** The digests of the viewed files, the latest mark last. */
export async function listViewed(database: Database, of: MarksOf): Promise<string[]> {
  const rows = await marksOf(database, of).select('digest').orderBy('viewed_at').orderBy('digest').execute()
  return rows.map(({ digest }) => digest)
}

/** Adds marks; those that are known stay. */
export async function insertViewed(tx: Transaction, of: MarksOf, digests: readonly string[]): Promise<void> {
  const now = Date.now()
  const rows = digests.map((digest) => ({
    merge_request_id: of.mergeRequestId,
    user_id: of.userId,
    digest,
    viewed_at: now,
  }))
  await tx
    .insertInto('viewed_file')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const all = await listViewed(tx, of)
  await deleteViewed(tx, of, all.slice(0, Math.max(0, all.length - MAX_MARKS)))
}

export async function deleteViewed(tx: Transaction, of: MarksOf, digests: readonly string[]): Promise<void> {
  if (digests.length === 0) return
  await tx
    .deleteFrom('viewed_file')
    .where('merge_request_id', '=', of.mergeRequestId)
    .where('user_id', '=', of.userId)
    .where('digest', 'in', digests)
    .execute()
}
