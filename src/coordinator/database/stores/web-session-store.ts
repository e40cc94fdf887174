import type { Insertable, Selectable } from 'kysely'

import type { Database } from '../connect.js'
import type { WebSessionTable } from '../tables/sessions.js'

export type WebSession = Selectable<WebSessionTable>

export function insertSession(database: Database, values: Insertable<WebSessionTable>): Promise<WebSession> {
  return database.insertInto('web_session').values(values).returningAll().executeTakeFirstOrThrow()
}

/** `at` in milliseconds since 1970. */
export async function recordSessionUse(database: Database, id: number, at: number): Promise<void> {
  await database.updateTable('web_session').set({ last_used_at: at }).where('id', '=', id).execute()
}

/** Ends the sessions of a user, apart from the one with the ID `except`. */
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

/** Periodic task: deletes sessions that ended before `time`, which nobody can use. */
export async function deleteSessionsEndedBefore(database: Database, time: number): Promise<void> {
  await database
    .deleteFrom('web_session')
    .where(({ eb, or, exists, selectFrom }) =>
      or([
        eb('expires_at', '<', time),
        eb(eb('last_used_at', '+', eb.ref('idle_timeout')), '<', time),
        exists(
          selectFrom('personal_access_token as token')
            .select('token.id')
            .whereRef('token.id', '=', 'web_session.personal_token_id')
            .where((token) =>
              token.or([token('token.revoked', '=', true), token('token.expires_at', '<', time)]),
            ),
        ),
      ]),
    )
    .execute()
}
