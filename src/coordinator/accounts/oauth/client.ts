import type { Selectable } from 'kysely'

import { tokenDigest } from '../../../lib/tokens.js'
import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import type { OauthApplicationTable } from '../../database/tables/applications.js'
import type { Given } from './given.js'
import { OauthError } from './oauth-errors.js'
import { isSameText } from './same-text.js'

export type Client = Selectable<OauthApplicationTable>

/** The client with this `client_id`; undefined if there is none. */
export async function findClient(database: Database, uid: string): Promise<Client | undefined> {
  if (!/^[0-9a-f]{64}$/.test(uid)) return undefined
  return database.selectFrom('oauth_application').selectAll().where('uid', '=', uid).executeTakeFirst()
}

/** The user who has registered the client; undefined if administrators have. */
export async function registrantOf(
  database: Database,
  { owner_id: owner }: Pick<Client, 'owner_id'>,
): Promise<Pick<User, 'name' | 'username'> | undefined> {
  if (owner === null) return undefined
  return database.selectFrom('user').select(['name', 'username']).where('id', '=', owner).executeTakeFirst()
}

/**
 * Authenticates a client, by HTTP Basic or by `client_id` and `client_secret` in the body (RFC 6749, 2.3.1).
 * A public client needs no secret. Throws `invalid_client`.
 */
export async function authenticateClient(
  database: Database,
  authorization: string | undefined,
  given: Given,
): Promise<Client> {
  const { id, secret } = shownCredentials(authorization, given)
  const client = id === undefined ? undefined : await findClient(database, id)
  if (!client || !isRightSecret(client, secret)) throw new OauthError('invalid_client')
  return client
}

/** Whether the request names a client at all. */
export function namesClient(authorization: string | undefined, given: Given): boolean {
  return shownCredentials(authorization, given).id !== undefined
}

function isRightSecret(client: Client, secret: string | undefined): boolean {
  if (secret === undefined) return !client.confidential
  return isSameText(tokenDigest(secret), client.secret_digest)
}

interface Credentials {
  id: string | undefined
  secret: string | undefined
}

/** A client may authenticate in two ways at once. Throws `invalid_request` if they differ. */
function shownCredentials(authorization: string | undefined, given: Given): Credentials {
  const inBody = { id: given.text('client_id'), secret: given.text('client_secret') }
  const basic = authorization === undefined ? undefined : basicCredentials(authorization)
  if (!basic) return inBody
  const isOther = (name: keyof Credentials) => inBody[name] !== undefined && inBody[name] !== basic[name]
  if (isOther('id') || isOther('secret')) {
    throw new OauthError('invalid_request', 'The credentials in the header and in the body differ.')
  }
  return basic
}

/** Name and password are each form-encoded (RFC 6749, 2.3.1). */
function basicCredentials(authorization: string): Credentials | undefined {
  const encoded = /^basic +(\S+)$/i.exec(authorization)?.[1]
  if (encoded === undefined) return undefined
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? []
  if (id === undefined || secret === undefined) throw new OauthError('invalid_client')
  return { id: decoded(id), secret: secret === '' ? undefined : decoded(secret) }
}

function decoded(text: string): string {
  return new URLSearchParams(`text=${text.replaceAll('&', '%26')}`).get('text') ?? ''
}
