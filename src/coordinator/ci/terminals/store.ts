import type { Insertable, Selectable } from 'kysely'

import type { WantedTerminal } from '../../../protocol/wanted-terminal.js'
import type { Database } from '../../database/connect.js'
import type { JobTerminalTable } from '../../database/tables/job-terminals.js'
import type { Transaction } from '../../database/transaction.js'

export type JobTerminalRow = Selectable<JobTerminalTable>

export async function insertTerminal(database: Database, row: Insertable<JobTerminalTable>): Promise<void> {
  await database.insertInto('job_terminal').values(row).execute()
}

export function findTerminal(database: Database, id: string): Promise<JobTerminalRow | undefined> {
  return database.selectFrom('job_terminal').selectAll().where('key', '=', id).executeTakeFirst()
}

/** Terminals of a job that its runner has not joined, created after `since`. */
export function findWanted(database: Database, jobId: number, since: number): Promise<WantedTerminal[]> {
  return database
    .selectFrom('job_terminal')
    .select(['key as id', 'command', 'columns', 'rows'])
    .where('job_id', '=', jobId)
    .where('joined_at', 'is', null)
    .where('ended_at', 'is', null)
    .where('created_at', '>=', since)
    .execute()
}

/**
 * Terminals of a user that are open, or whose tickets are still valid, because they were created after `since`. A
 * coordinator that was killed has not recorded the end of its terminals: those that were not seen since `seenSince` do not
 * count.
 */
export async function countOpen(
  database: Database,
  userId: number,
  { since, seenSince }: { since: number; seenSince: number },
): Promise<number> {
  const { count } = await database
    .selectFrom('job_terminal')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .where((eb) => eb.or([eb('seen_at', '>=', seenSince), eb('created_at', '>=', since)]))
    .executeTakeFirstOrThrow()
  return count
}

/** Records that a terminal is still open. */
export async function markSeen(database: Database, id: string, now: number): Promise<void> {
  await database.updateTable('job_terminal').set({ seen_at: now }).where('key', '=', id).execute()
}

/** Ends the terminals that no coordinator has seen since then: their tickets were not used, or it was killed. */
export async function endLostTerminals(database: Database, seenSince: number, now: number): Promise<void> {
  await database
    .updateTable('job_terminal')
    .set({ ended_at: now })
    .where('ended_at', 'is', null)
    .where('created_at', '<', seenSince)
    .where((eb) => eb.or([eb('seen_at', 'is', null), eb('seen_at', '<', seenSince)]))
    .execute()
}

/** A shell, and where the person in it is. */
export type Visit = NonNullable<Awaited<ReturnType<typeof findVisit>>>

export function findVisit(database: Database, key: string) {
  return database
    .selectFrom('job_terminal as terminal')
    .innerJoin('job', 'job.id', 'terminal.job_id')
    .innerJoin('project', 'project.id', 'job.project_id')
    .innerJoin('user', 'user.id', 'terminal.user_id')
    .select(['terminal.job_id', 'terminal.user_id', 'terminal.opened_at'])
    .select(['job.name as job_name', 'job.project_id', 'project.full_path', 'user.name as user_name'])
    .where('terminal.key', '=', key)
    .executeTakeFirst()
}

/** Shells in which persons were last seen before `seenSince`, at most 1,000. */
export async function findLost(
  database: Database,
  seenSince: number,
): Promise<{ key: string; seen_at: number }[]> {
  const rows = await database
    .selectFrom('job_terminal')
    .select(['key', 'seen_at'])
    .where('opened_at', 'is not', null)
    .where('left_at', 'is', null)
    .where('seen_at', '<', seenSince)
    .limit(1000)
    .execute()
  return rows.flatMap(({ key, seen_at }) => (seen_at === null ? [] : [{ key, seen_at }]))
}

/** False if it was recorded before. */
export async function markLeft(tx: Transaction, key: string, at: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('job_terminal')
    .set({ left_at: at })
    .where('key', '=', key)
    .where('left_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Uses the ticket up. False if it was used, or the terminal was created before `since`. */
export async function markOpened(
  database: Database,
  id: string,
  ticketDigest: string,
  since: number,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('job_terminal')
    .set({ opened_at: now, seen_at: now })
    .where('key', '=', id)
    .where('ticket_digest', '=', ticketDigest)
    .where('opened_at', 'is', null)
    .where('ended_at', 'is', null)
    .where('created_at', '>=', since)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** False if a runner has joined, or the terminal was created before `since`. */
export async function markJoined(
  database: Database,
  id: string,
  since: number,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('job_terminal')
    .set({ joined_at: now })
    .where('key', '=', id)
    .where('joined_at', 'is', null)
    .where('ended_at', 'is', null)
    .where('created_at', '>=', since)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function markEnded(database: Database, id: string, now: number): Promise<void> {
  await database
    .updateTable('job_terminal')
    .set({ ended_at: now })
    .where('key', '=', id)
    .where('ended_at', 'is', null)
    .execute()
}
