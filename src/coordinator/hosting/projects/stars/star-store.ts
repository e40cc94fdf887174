import { subtractStarsOfUser } from '../../../database/stores/project-store.js'
import type { Transaction } from '../../../database/transaction.js'

/** False when the user had starred the project already. */
export async function insertStar(tx: Transaction, projectId: number, userId: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('project_star')
    .values({ project_id: projectId, user_id: userId, created_at: Date.now() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** False when the user had not starred the project. */
export async function deleteStar(tx: Transaction, projectId: number, userId: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('project_star')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export async function deleteStarsOfUser(tx: Transaction, userId: number): Promise<void> {
  await subtractStarsOfUser(tx, userId)
  await tx.deleteFrom('project_star').where('user_id', '=', userId).execute()
}
