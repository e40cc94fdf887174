import { type Insertable, type Selectable, sql } from 'kysely'

import type { User } from '../access/caller.js'
import type { Database } from '../database/connect.js'
import { deleteMatching } from '../database/delete-in-steps.js'
import type { OauthGrantTable, OauthTokenTable } from '../database/tables/oauth.js'
import type { Transaction } from '../database/transaction.js'

export type Grant = Selectable<OauthGrantTable>

/** Null for the client credentials grant. */
type UserState = { user_state: User['state'] | null }

export function insertGrant(database: Database, values: Insertable<OauthGrantTable>): Promise<Grant> {
  return database.insertInto('oauth_grant').values(values).returningAll().executeTakeFirstOrThrow()
}

export async function insertOauthToken(
  database: Database,
  values: Insertable<OauthTokenTable>,
): Promise<void> {
  await database.insertInto('oauth_token').values(values).execute()
}

export type GrantOfUser = Grant & UserState

/** Finds the grant of a code, used or not, or of a device request. */
export function findGrant(
  database: Database,
  column: 'id' | 'code_digest',
  value: string | number,
): Promise<GrantOfUser | undefined> {
  return database
    .selectFrom('oauth_grant')
    .leftJoin('user', 'user.id', 'oauth_grant.user_id')
    .selectAll('oauth_grant')
    .select('user.state as user_state')
    .where(`oauth_grant.${column}`, '=', value)
    .executeTakeFirst()
}

/** Most grants of a user to one application that are looked at. */
const MAX_GRANTS = 100

/** The latest grant of the user to the application with these scopes that is not revoked; undefined if there is none. */
export async function findEarlierGrant(
  database: Database,
  { userId, applicationId, scopes }: { userId: number; applicationId: number; scopes: readonly string[] },
): Promise<Pick<Grant, 'project_ids'> | undefined> {
  const grants = await database
    .selectFrom('oauth_grant')
    .select(['scopes', 'project_ids'])
    .where('user_id', '=', userId)
    .where('application_id', '=', applicationId)
    .where('revoked_at', 'is', null)
    .where('code_used_at', 'is not', null)
    .orderBy('id', 'desc')
    .limit(MAX_GRANTS)
    .execute()
  return grants.find((grant) => scopes.every((scope) => grant.scopes.includes(scope)))
}

/** A grant to an application that has got tokens. */
export interface GrantedAccess extends Pick<
  Grant,
  'application_id' | 'scopes' | 'project_ids' | 'created_at'
> {
  application_name: string
  token_issued_at: number
}

/** The grants of a user that have tokens and are not revoked, the latest first, at most 1,000. */
export async function listGrantedAccess(database: Database, userId: number): Promise<GrantedAccess[]> {
  const rows = await database
    .selectFrom('oauth_grant')
    .innerJoin('oauth_application', 'oauth_application.id', 'oauth_grant.application_id')
    .select(['oauth_grant.application_id', 'oauth_grant.scopes', 'oauth_grant.created_at'])
    .select(['oauth_grant.project_ids', 'oauth_application.name as application_name'])
    .select((eb) =>
      eb
        .selectFrom('oauth_token')
        .select(({ fn }) => fn.max('oauth_token.created_at').as('latest'))
        .whereRef('oauth_token.grant_id', '=', 'oauth_grant.id')
        .as('token_issued_at'),
    )
    .where('oauth_grant.user_id', '=', userId)
    .where('oauth_grant.revoked_at', 'is', null)
    .orderBy('oauth_grant.id', 'desc')
    .limit(1000)
    .execute()
  return rows.flatMap(({ token_issued_at: issuedAt, ...row }) =>
    issuedAt === null ? [] : [{ ...row, token_issued_at: issuedAt }],
  )
}

/** Revokes all grants of a user to an application, with their codes and tokens. False if there is none. */
export async function revokeGrantsTo(
  database: Database,
  { userId, applicationId }: { userId: number; applicationId: number },
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('oauth_grant')
    .set({ revoked_at: Date.now() })
    .where('user_id', '=', userId)
    .where('application_id', '=', applicationId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** False if another request has used the code, or the grant is revoked. */
export async function useCode(tx: Transaction, grantId: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('oauth_grant')
    .set({ code_used_at: Date.now() })
    .where('id', '=', grantId)
    .where('code_used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Revokes a grant with all its codes and tokens. */
export async function revokeGrant(database: Database, grantId: number): Promise<void> {
  await database
    .updateTable('oauth_grant')
    .set({ revoked_at: Date.now() })
    .where('id', '=', grantId)
    .where('revoked_at', 'is', null)
    .execute()
}

export async function deleteGrantsOfUser(tx: Transaction, userId: number): Promise<void> {
  await tx.deleteFrom('oauth_grant').where('user_id', '=', userId).execute()
}

/** Deletes grants that were revoked before the time. */
export async function deleteGrantsRevokedBefore(database: Database, before: number): Promise<void> {
  await deleteMatching(database, 'oauth_grant', sql`revoked_at < ${before}`)
}

/** Deletes grants from before the time that have no token. */
export async function deleteGrantsWithoutToken(database: Database, before: number): Promise<void> {
  await deleteMatching(
    database,
    'oauth_grant',
    sql`created_at < ${before}
      and not exists (select 1 from oauth_token where oauth_token.grant_id = oauth_grant.id)`,
  )
}

/** Deletes tokens from before the time. */
export async function deleteTokensBefore(database: Database, before: number): Promise<void> {
  await deleteMatching(database, 'oauth_token', sql`created_at < ${before}`)
}

/** Deletes tokens from before the time that have no refresh token. */
export async function deleteUnrefreshableTokensBefore(database: Database, before: number): Promise<void> {
  await deleteMatching(database, 'oauth_token', sql`refresh_digest is null and created_at < ${before}`)
}

/** A token with its grant. */
export type TokenOfGrant = UserState &
  Pick<Selectable<OauthTokenTable>, 'id' | 'scopes' | 'expires_at' | 'refreshed_at' | 'created_at'> &
  Pick<Grant, 'application_id' | 'user_id' | 'revoked_at'> & {
    grant_id: number
    granted_at: number
    auth_time: number | null
    grant_scopes: string[]
    application_uid: string
    confidential: boolean
  }

/** Finds a token by the digest of its access or refresh part. */
export function findTokenOfGrant(
  database: Database,
  column: 'access_digest' | 'refresh_digest',
  digest: string,
): Promise<TokenOfGrant | undefined> {
  return database
    .selectFrom('oauth_token')
    .innerJoin('oauth_grant', 'oauth_grant.id', 'oauth_token.grant_id')
    .innerJoin('oauth_application', 'oauth_application.id', 'oauth_grant.application_id')
    .leftJoin('user', 'user.id', 'oauth_grant.user_id')
    .select(['oauth_token.id', 'oauth_token.scopes', 'oauth_token.expires_at', 'oauth_token.refreshed_at'])
    .select(['oauth_token.created_at', 'oauth_token.grant_id', 'oauth_grant.scopes as grant_scopes'])
    .select(['oauth_grant.application_id', 'oauth_grant.user_id', 'oauth_grant.revoked_at'])
    .select(['oauth_grant.created_at as granted_at', 'oauth_grant.auth_time'])
    .select(['oauth_application.uid as application_uid', 'oauth_application.confidential'])
    .select('user.state as user_state')
    .where(`oauth_token.${column}`, '=', digest)
    .executeTakeFirst()
}

/** False if the refresh token was first exchanged more than `grace` milliseconds ago. */
export async function tradeToken(tx: Transaction, id: number, now: number, grace: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('oauth_token')
    .set(({ fn, ref, val }) => ({ refreshed_at: fn.coalesce(ref('refreshed_at'), val(now)) }))
    .where('id', '=', id)
    .where(({ or, eb }) => or([eb('refreshed_at', 'is', null), eb('refreshed_at', '>', now - grace)]))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
