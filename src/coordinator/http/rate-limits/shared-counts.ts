import { sql } from 'kysely'

import type { Database } from '../../database/connect.js'
import { deleteMatching } from '../../database/delete-in-steps.js'
import { subjectOfAddress } from './address-subject.js'

/**
 * After this number of wrong passwords from one address, an account accepts none from there for a while, not even the
 * correct one. Other addresses are not affected, so that nobody can lock the owner out.
 */
export const PASSWORDS_FROM_ADDRESS = 10
/**
 * After this number of wrong passwords from all addresses, an account accepts one for a while only from the addresses from
 * which its user last signed in. To guess from many addresses does not help then, and to lock the owner out needs many.
 */
export const PASSWORDS_OF_ACCOUNT = 100

export function subjectOfAccount(userId: number): string {
  return `account ${userId}`
}

/** `address` is undefined if it is not known. */
export function subjectOfAccountAt(userId: number, address: string | undefined): string {
  return `${subjectOfAccount(userId)} from ${address === undefined ? 'somewhere' : subjectOfAddress(address)}`
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

/** The accounts that currently accept no password from an address that is new to them. */
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
