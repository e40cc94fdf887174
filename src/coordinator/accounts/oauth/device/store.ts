import type { Insertable, Selectable } from 'kysely'

import type { Database } from '../../../database/connect.js'
import type { OauthDeviceRequestTable } from '../../../database/tables/oauth.js'
import type { Transaction } from '../../../database/transaction.js'
import type { Client } from '../client.js'
import { POLL_SECONDS } from '../lifetimes.js'
import { findGrant, type GrantOfUser } from '../store.js'

type DeviceRequest = Selectable<OauthDeviceRequestTable>

/** Milliseconds between two polls at least: a second less than is said, for what they may be held up on the way. */
const LEAST_PAUSE = (POLL_SECONDS - 1) * 1000

/** False when the code for people is taken just now. */
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

/** What somebody may decide on who has typed this code. */
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

/** False when somebody else was first, or when it is over. */
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

export async function nameGrant(tx: Transaction, id: number, grantId: number): Promise<void> {
  await tx.updateTable('oauth_device_request').set({ grant_id: grantId }).where('id', '=', id).execute()
}

/** A request with what was given for it. */
export type DecidedRequest = Pick<DeviceRequest, 'id' | 'application_id' | 'decision' | 'expires_at'> & {
  grant: GrantOfUser | undefined
}

/** By the code of the device. */
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
 * Notes that the device asks; false when that is too early, for whichever coordinator it asks. Each way of showing who it is
 * counts for itself: the OAuth library of Go, with which command line clients are made, asks in both ways at once until one
 * has worked.
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
