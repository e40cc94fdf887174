import type { Insertable, Selectable } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { OauthDeviceRequestTable } from '../../database/tables/oauth.js'
import type { Transaction } from '../../database/transaction.js'
import { findGrant, type GrantOfUser } from '../oauth-grant-store.js'
import type { Client } from './client.js'
import { POLL_SECONDS } from './lifetimes.js'

type DeviceRequest = Selectable<OauthDeviceRequestTable>

/**
 * Minimum interval between accepted polls, in milliseconds: one second less than announced, to allow for
 * network delays.
 */
const LEAST_PAUSE = (POLL_SECONDS - 1) * 1000

/** False if the user code is taken. */
export async function insertDeviceRequest(
  database: Database,
  values: Insertable<OauthDeviceRequestTable>,
): Promise<boolean> {
  const row = await database
    .insertInto('oauth_device_request')
    .values(values)
    .onConflict((conflict) => conflict.column('user_digest').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Finds the open request with this user code. */
export async function findOpenRequest(
  database: Database,
  userDigest: string,
): Promise<{ id: number; scopes: string[]; client: Client } | undefined> {
  const row = await database
    .selectFrom('oauth_device_request as request')
    .innerJoin('oauth_application', 'oauth_application.id', 'request.application_id')
    .selectAll('oauth_application')
    .select(['request.id as request_id', 'request.scopes as requested'])
    .where('request.user_digest', '=', userDigest)
    .where('request.decision', 'is', null)
    .where('request.expires_at', '>', Date.now())
    .executeTakeFirst()
  if (!row) return undefined
  const { request_id, requested, ...client } = row
  return { id: request_id, scopes: requested, client }
}

/** False if another request has decided it, or it has expired. */
export async function decideOn(
  tx: Transaction,
  id: number,
  decision: 'allowed' | 'denied',
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('oauth_device_request')
    .set({ decision })
    .where('id', '=', id)
    .where('decision', 'is', null)
    .where('expires_at', '>', Date.now())
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Deletes requests that expired before the time. */
export async function deleteRequestsExpiredBefore(database: Database, before: number): Promise<void> {
  await database.deleteFrom('oauth_device_request').where('expires_at', '<', before).execute()
}

export async function nameGrant(tx: Transaction, id: number, grantId: number): Promise<void> {
  await tx.updateTable('oauth_device_request').set({ grant_id: grantId }).where('id', '=', id).execute()
}

/** A device request with its grant. */
export type DecidedRequest = Pick<DeviceRequest, 'id' | 'application_id' | 'decision' | 'expires_at'> & {
  grant: GrantOfUser | undefined
}

/** Finds a request by its device code. */
export async function findDeviceRequest(
  database: Database,
  deviceDigest: string,
): Promise<DecidedRequest | undefined> {
  const request = await database
    .selectFrom('oauth_device_request')
    .select(['id', 'application_id', 'decision', 'expires_at', 'grant_id'])
    .where('device_digest', '=', deviceDigest)
    .executeTakeFirst()
  if (!request) return undefined
  const { grant_id, ...rest } = request
  return { ...rest, grant: grant_id === null ? undefined : await findGrant(database, 'id', grant_id) }
}

/**
 * Records a poll; false if it is too early, on whichever coordinator it arrives. Each authentication method
 * has its own interval. The OAuth library of Go, which many command-line clients use, tries both methods at
 * once until one succeeds.
 */
export async function recordPoll(database: Database, id: number, byHeader: boolean): Promise<boolean> {
  const column = byHeader ? 'polled_by_header_at' : 'polled_by_body_at'
  const now = Date.now()
  const { numUpdatedRows } = await database
    .updateTable('oauth_device_request')
    .set({ [column]: now })
    .where('id', '=', id)
    .where(({ eb, or }) => or([eb(column, 'is', null), eb(column, '<=', now - LEAST_PAUSE)]))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
