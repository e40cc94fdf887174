import { type Insertable, type Selectable, sql } from 'kysely'

import type { Database } from '../connect.js'
import { deleteMatching } from '../delete-in-steps.js'
import type { PendingSignInTable } from '../tables/second-factors.js'
import type { SignInLinkTable, WebSessionTable } from '../tables/sessions.js'

export type WebSession = Selectable<WebSessionTable>

export function insertSession(database: Database, values: Insertable<WebSessionTable>): Promise<WebSession> {
  return database.insertInto('web_session').values(values).returningAll().executeTakeFirstOrThrow()
}

/** `at` in milliseconds since 1970. */
export async function recordSessionUse(database: Database, id: number, at: number): Promise<void> {
  await database.updateTable('web_session').set({ last_used_at: at }).where('id', '=', id).execute()
}

/** Ends the sessions, pending sign-ins and sign-in links of a user, apart from the session with the ID `except`. */
export async function deleteSessionsOfUser(
  database: Database,
  userId: number,
  { except }: { except?: number | undefined } = {},
): Promise<void> {
  await database
    .deleteFrom('web_session')
    .where('user_id', '=', userId)
    .$if(except !== undefined, (query) => query.where('id', '!=', except ?? 0))
    .execute()
  await database.deleteFrom('pending_sign_in').where('user_id', '=', userId).execute()
  await database.deleteFrom('sign_in_link').where('user_id', '=', userId).execute()
}

/** A factor at an identity provider counts as one here, so its sessions have no deadline. */
const withoutProviderFactor = sql<boolean>`(factor is null or factor <> 'provider')`

/** The different deadlines that the sessions of each user have; see `enrol_by`. */
export async function listEnrolmentDeadlines(
  database: Database,
): Promise<{ userId: number; deadline: number | null }[]> {
  const rows = await database
    .selectFrom('web_session')
    .select(['user_id', 'enrol_by'])
    .where(withoutProviderFactor)
    .distinct()
    .execute()
  return rows.map(({ user_id, enrol_by }) => ({ userId: user_id, deadline: enrol_by }))
}

/** For all sessions of the user, except by a factor at an identity provider; in milliseconds since 1970. */
export async function setEnrolmentDeadline(
  database: Database,
  { userId, deadline }: { userId: number; deadline: number | null },
): Promise<void> {
  await database
    .updateTable('web_session')
    .set({ enrol_by: deadline })
    .where('user_id', '=', userId)
    .where(withoutProviderFactor)
    .execute()
}

export type PendingSignIn = Selectable<PendingSignInTable>

export async function insertPendingSignIn(
  database: Database,
  values: Insertable<PendingSignInTable>,
): Promise<void> {
  await database.insertInto('pending_sign_in').values(values).execute()
}

/** Undefined for one that is unknown, has been used or has ended. */
export function findPendingSignIn(database: Database, digest: string): Promise<PendingSignIn | undefined> {
  return database
    .selectFrom('pending_sign_in')
    .selectAll()
    .where('digest', '=', digest)
    .where('expires_at', '>', Date.now())
    .executeTakeFirst()
}

/** Returns false if another request has used it. */
export async function usePendingSignIn(database: Database, id: number): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('pending_sign_in')
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** The sessions of a user that have not ended, the latest first. */
export async function listSessions(database: Database, userId: number): Promise<WebSession[]> {
  const now = Date.now()
  return database
    .selectFrom('web_session as session')
    .leftJoin('personal_access_token as token', 'token.id', 'session.personal_token_id')
    .selectAll('session')
    .where('session.user_id', '=', userId)
    .where('session.expires_at', '>', now)
    .where(({ eb }) => eb(eb('session.last_used_at', '+', eb.ref('session.idle_timeout')), '>', now))
    .where(({ eb, or }) => or([eb('token.revoked', 'is', null), eb('token.revoked', '=', false)]))
    .where(({ eb, or }) => or([eb('token.expires_at', 'is', null), eb('token.expires_at', '>', now)]))
    .orderBy('session.id', 'desc')
    .execute()
}

/** `at` in milliseconds since 1970. */
export async function recordConfirmation(database: Database, id: number, at: number): Promise<void> {
  await database.updateTable('web_session').set({ confirmed_at: at }).where('id', '=', id).execute()
}

/** False if the user has no session with this ID. */
export async function deleteSession(database: Database, userId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('web_session')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/**
 * Ends the sessions that a user has opened by an identity provider, or the one with the ID `sid` there. Returns their
 * number. Throws if neither is given.
 */
export async function deleteSessionsOfProvider(
  database: Database,
  provider: string,
  { subject, sid }: { subject: string | undefined; sid: string | undefined },
): Promise<number> {
  if (subject === undefined && sid === undefined) throw new Error('Needs the subject or the session')
  const { numDeletedRows } = await database
    .deleteFrom('web_session')
    .where('provider', '=', provider)
    .$if(subject !== undefined, (query) => query.where('provider_subject', '=', subject ?? ''))
    .$if(sid !== undefined, (query) => query.where('provider_sid', '=', sid ?? ''))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Ends the sessions of a user except the `most` newest ones. */
export async function deleteOldestSessions(database: Database, userId: number, most: number): Promise<void> {
  const oldest = await database
    .selectFrom('web_session')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .offset(most)
    .limit(1)
    .executeTakeFirst()
  if (!oldest) return
  await database
    .deleteFrom('web_session')
    .where('user_id', '=', userId)
    .where('id', '<=', oldest.id)
    .execute()
}

/** False if there is none with this digest. */
export async function deleteSessionByDigest(database: Database, digest: string): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('web_session')
    .where('token_digest', '=', digest)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Periodic task: deletes sessions, pending sign-ins and sign-in links that ended before `time`. */
export async function deleteSessionsEndedBefore(database: Database, time: number): Promise<void> {
  await deleteMatching(database, 'sign_in_link', sql`expires_at < ${time}`)
  await deleteMatching(database, 'pending_sign_in', sql`expires_at < ${time}`)
  await deleteMatching(
    database,
    'web_session',
    sql`expires_at < ${time} or last_used_at + idle_timeout < ${time} or personal_token_id in (
      select id from personal_access_token where revoked = ${sql.lit(true)} or expires_at < ${time})`,
  )
}

/** Number of sessions that have not ended at `now`. */
export async function countSessions(database: Database, now: number): Promise<number> {
  const { sessions } = await database
    .selectFrom('web_session')
    .select(({ fn }) => fn.countAll<number>().as('sessions'))
    .where('expires_at', '>', now)
    .where(({ eb }) => eb(eb('last_used_at', '+', eb.ref('idle_timeout')), '>', now))
    .executeTakeFirstOrThrow()
  return sessions
}

export type SignInLink = Selectable<SignInLinkTable>

export async function insertSignInLink(
  database: Database,
  values: Insertable<SignInLinkTable>,
): Promise<void> {
  await database.insertInto('sign_in_link').values(values).execute()
}

/** Undefined for a link that is unknown, used or expired, and for one whose token is no longer valid. */
export function findSignInLink(database: Database, digest: string): Promise<SignInLink | undefined> {
  const now = Date.now()
  return database
    .selectFrom('sign_in_link as link')
    .leftJoin('personal_access_token as token', 'token.id', 'link.personal_token_id')
    .selectAll('link')
    .where('link.digest', '=', digest)
    .where('link.expires_at', '>', now)
    .where(({ eb, or }) => or([eb('token.revoked', 'is', null), eb('token.revoked', '=', false)]))
    .where(({ eb, or }) => or([eb('token.expires_at', 'is', null), eb('token.expires_at', '>', now)]))
    .executeTakeFirst()
}

/** Returns false if another request has used the link. */
export async function useSignInLink(database: Database, id: number): Promise<boolean> {
  const { numDeletedRows } = await database.deleteFrom('sign_in_link').where('id', '=', id).executeTakeFirst()
  return numDeletedRows === 1n
}
