import type { Database } from '../../../database/connect.js'
import { type Client, findClient } from '../client.js'
import type { Given } from '../given.js'
import { OPENID, requestedScopes } from '../grant-scopes.js'
import { OauthError } from '../oauth-errors.js'
import { isChallenge } from '../pkce.js'
import { isRegistered } from './redirect-target.js'

/** Who asks, and where the answer goes. */
export interface Asker {
  client: Client
  redirectUri: string
  /** As the request has it, which need not if there is but one. */
  namedUri: string | null
}

/** What a client asks of a user (RFC 6749, 4.1.1; RFC 7636, 4.3). */
export interface AuthorizationRequest {
  scopes: string[]
  challenge: string | null
  /** To be told again in the id token (OpenID Connect Core 1.0, 3.1.2.1). */
  nonce: string | null
}

/** Characters. */
const LONGEST_NONCE = 512

/** Throws for a request after which nobody may be sent anywhere: the client or its address is not known (4.1.2.1). */
export async function readAsker(database: Database, given: Given): Promise<Asker> {
  const client = await findClient(database, given.required('client_id'))
  if (!client) throw new OauthError('invalid_client', 'The application is not known here.')
  const named = given.text('redirect_uri')
  const [first, ...others] = client.redirect_uris
  const redirectUri = named ?? (others.length === 0 ? first : undefined)
  if (redirectUri === undefined) given.required('redirect_uri')
  if (redirectUri === undefined || !isRegistered(client.redirect_uris, redirectUri)) {
    throw new OauthError(
      'invalid_request',
      "The requested redirect uri is malformed or doesn't match client redirect URI.",
    )
  }
  return { client, redirectUri, namedUri: named ?? null }
}

/** Throws what the client is told by way of its address. */
export function readRequest({ client }: Asker, given: Given): AuthorizationRequest {
  if (given.required('response_type') !== 'code') throw new OauthError('unsupported_response_type')
  const scopes = requestedScopes(given.text('scope'), client.scopes)
  const prompts = given.text('prompt')?.split(' ') ?? []
  if (scopes.includes(OPENID) && prompts.includes('none')) throw new OauthError('login_required')
  return { scopes, challenge: readChallenge(client, given), nonce: readNonce(given) }
}

function readNonce(given: Given): string | null {
  const nonce = given.text('nonce') ?? null
  if (nonce !== null && nonce.length > LONGEST_NONCE) {
    throw new OauthError('invalid_request', `The nonce is longer than ${LONGEST_NONCE} characters.`)
  }
  return nonce
}

/** `plain`, which is what no method means, would show whoever sees the request all that is to be known. */
function readChallenge(client: Client, given: Given): string | null {
  const challenge = given.text('code_challenge')
  const method = given.text('code_challenge_method')
  if (challenge === undefined && method === undefined && client.confidential) return null
  if (challenge === undefined) throw new OauthError('invalid_request', 'Code challenge is required.')
  if (method !== 'S256') {
    throw new OauthError('invalid_request', 'The code_challenge_method must be S256.')
  }
  if (!isChallenge(challenge)) throw new OauthError('invalid_request', 'The code_challenge is malformed.')
  return challenge
}
