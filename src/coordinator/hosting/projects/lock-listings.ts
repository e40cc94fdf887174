import { sql } from 'kysely'

import { hasRowLocks } from '../../database/lock-row.js'
import type { Transaction } from '../../database/transaction.js'

/**
 * Locks what a project lists and is listed by before it is deleted with it, in one order: of two projects that list each
 * other and are deleted at once, each deletion would otherwise wait for the other.
 */
export async function lockListings(tx: Transaction, projectId: number): Promise<void> {
  if (!hasRowLocks(tx)) return
  await sql`
    select project_id from job_token_project
      where project_id = ${projectId} or allowed_project_id = ${projectId}
      order by project_id, allowed_project_id for update`.execute(tx)
}
