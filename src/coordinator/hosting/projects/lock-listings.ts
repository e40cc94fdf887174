import { sql } from 'kysely'

import { hasRowLocks } from '../../database/lock-row.js'
import type { Transaction } from '../../database/transaction.js'

/**
 * Locks the job token allowlist entries in both directions before a project is deleted, in a fixed order.
 * Otherwise two deletions of projects that list each other could deadlock.
 */
export async function lockListings(tx: Transaction, projectId: number): Promise<void> {
  if (!hasRowLocks(tx)) return
  await sql`
    select project_id from job_token_project
      where project_id = ${projectId} or allowed_project_id = ${projectId}
      order by project_id, allowed_project_id for update`.execute(tx)
}
