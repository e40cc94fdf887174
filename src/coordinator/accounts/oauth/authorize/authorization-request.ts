import type { User } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { type Client, findClient, registrantOf } from '../client.js'
import type { Given } from '../given.js'
import { OPENID, requestedScopes } from '../grant-scopes.js'
import { OauthError } from '../oauth-errors.js'
import { isChallenge } from '../pkce.js'
import { isRegistered } from './redirect-target.js'
import { readResponseMode } from './send-result.js'

/** The requesting client, and its redirect URI. */
export interface Asker {
  client: Client
  /** The user who has registered it; undefined if administrators have. */
  registrant: Pick<User, 'name' | 'username'> | undefined
  redirectUri: string
  /** The URI in the request; optional if only one is registered. */
  namedUri: string | null
}

/** An authorization request of a client (RFC 6749, 4.1.1; RFC 7636, 4.3). */
export interface AuthorizationRequest {
  scopes: string[]
  challenge: string | null
  /** Returned in the ID token (OpenID Connect Core 1.0, 3.1.2.1). */
  nonce: string | null
  /** How to treat a user who is signed in (OpenID Connect Core 1.0, 3.1.2.1). */
  prompting: Prompting
}

/**
 * `none`: no page is shown. `login`: the user gives the password even in a session; so does one who gave it longer than
 * `maxAge` seconds ago.
 */
export interface Prompting {
  none: boolean
  login: boolean
  maxAge: number
}

/** Maximum length of a nonce, in characters. */
const MAX_NONCE_LENGTH = 512

/** Throws if the client or its redirect URI is unknown; the user must then not be redirected (4.1.2.1). */
export async function readAsker(database: Database, given: Given): Promise<Asker> {
  const client = await findClient(database, given.required('client_id'))
  if (!client) throw new OauthError('invalid_client', 'The application is unknown.')
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
  const registrant = await registrantOf(database, client)
  return { client, registrant, redirectUri, namedUri: named ?? null }
}

/** Throws errors that are reported to the client through its redirect URI. */
export function readRequest(asker: Asker, given: Given): AuthorizationRequest {
  const { client } = asker
  if (given.required('response_type') !== 'code') throw new OauthError('unsupported_response_type')
  const scopes = requestedScopes(given.text('scope'), client.scopes)
  readResponseMode(asker, given)
  const prompting = scopes.includes(OPENID) ? readPrompting(given) : UNPROMPTED
  return { scopes, challenge: readChallenge(client, given), nonce: readNonce(given), prompting }
}

const UNPROMPTED: Prompting = { none: false, login: false, maxAge: Infinity }

function readPrompting(given: Given): Prompting {
  const prompts = given.text('prompt')?.split(' ') ?? []
  if (prompts.includes('none') && prompts.length > 1) {
    throw new OauthError('invalid_request', 'The prompt none cannot be combined with others.')
  }
  const maxAge = given.text('max_age')
  if (maxAge !== undefined && !/^\d{1,10}$/.test(maxAge)) {
    throw new OauthError('invalid_request', 'The max_age is not a number of seconds.')
  }
  return {
    none: prompts.includes('none'),
    login: prompts.includes('login'),
    maxAge: maxAge === undefined ? Infinity : Number(maxAge),
  }
}

function readNonce(given: Given): string | null {
  const nonce = given.text('nonce') ?? null
  if (nonce !== null && nonce.length > MAX_NONCE_LENGTH) {
    throw new OauthError('invalid_request', `The nonce is longer than ${MAX_NONCE_LENGTH} characters.`)
  }
  return nonce
}

/**
 * The method `plain`, which is the default, is refused: it would reveal the verifier to anyone who sees the
 * request.
 */
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
