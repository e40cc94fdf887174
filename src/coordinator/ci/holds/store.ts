import type { Selectable } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { HoldEnd, JobHoldTable } from '../../database/tables/job-holds.js'

export type JobHoldRow = Selectable<JobHoldTable>

/** Replaces an earlier hold of the job, which its runner has given up. */
export async function insertHold(
  database: Database,
  hold: Omit<JobHoldRow, 'revision' | 'ended_at' | 'end_reason'>,
): Promise<void> {
  const values = { ...hold, revision: 1, ended_at: null, end_reason: null }
  const { job_id: _, ...replaced } = values
  await database
    .insertInto('job_hold')
    .values(values)
    .onConflict((conflict) => conflict.column('job_id').doUpdateSet(replaced))
    .execute()
}

export function findHold(database: Database, jobId: number): Promise<JobHoldRow | undefined> {
  return database.selectFrom('job_hold').selectAll().where('job_id', '=', jobId).executeTakeFirst()
}

/** Sets the end of a hold that has not ended. Returns it, or undefined if it has ended. */
export function setUntil(database: Database, jobId: number, until: number): Promise<JobHoldRow | undefined> {
  return database
    .updateTable('job_hold')
    .set((eb) => ({ until, revision: eb('revision', '+', 1) }))
    .where('job_id', '=', jobId)
    .where('ended_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** Ends a hold that has not ended. Returns whether it had not. */
export async function endHold(
  database: Database,
  jobId: number,
  reason: HoldEnd,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('job_hold')
    .set((eb) => ({ ended_at: now, end_reason: reason, revision: eb('revision', '+', 1) }))
    .where('job_id', '=', jobId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Tells the runner that there is something new. */
export async function touchHold(database: Database, jobId: number): Promise<void> {
  await database
    .updateTable('job_hold')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('job_id', '=', jobId)
    .execute()
}
