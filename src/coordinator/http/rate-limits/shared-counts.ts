import { sql } from 'kysely'

import type { Database } from '../../database/connect.js'
import { deleteMatching } from '../../database/delete-in-steps.js'

/**
 * After this number of wrong passwords, an account accepts no password for a while, not even the correct one.
 */
export const PASSWORDS_OF_ACCOUNT = 10

export function subjectOfAccount(userId: number): string {
  return `account ${userId}`
}

/** Counters that several coordinators on one store share. */
export interface SharedCounts {
  /** Adds one to the subject in the window that ends at `resetAt`; returns the total. */
  add: (subject: string, resetAt: number) => Promise<number>
  delete: (subject: string) => Promise<void>
}

/** Written only after failures, and never read by a request without one. */
export function createSharedCounts(database: Database): SharedCounts {
  return {
    add: async (subject, reset_at) => {
      const { count } = await database
        .insertInto('failed_attempt')
        .values({ subject, reset_at, count: 1 })
        .onConflict((conflict) =>
          conflict.columns(['subject', 'reset_at']).doUpdateSet((eb) => ({
            count: eb('failed_attempt.count', '+', 1),
          })),
        )
        .returning('count')
        .executeTakeFirstOrThrow()
      return count
    },
    delete: async (subject) => {
      await database.deleteFrom('failed_attempt').where('subject', '=', subject).execute()
    },
  }
}

/** The accounts that currently accept no password. */
export async function closedAccounts(database: Database, userIds: number[]): Promise<Set<number>> {
  const subjects = new Map(userIds.map((id) => [subjectOfAccount(id), id]))
  const rows = await database
    .selectFrom('failed_attempt')
    .select('subject')
    .where('subject', 'in', [...subjects.keys()])
    .where('reset_at', '>', Date.now())
    .where('count', '>=', PASSWORDS_OF_ACCOUNT)
    .execute()
  return new Set(rows.map(({ subject }) => subjects.get(subject) ?? 0))
}

/** Periodic task: deletes windows that ended before `time`. */
export async function deleteAttemptsBefore(database: Database, time: number): Promise<void> {
  await deleteMatching(database, 'failed_attempt', sql`reset_at < ${time}`)
}
