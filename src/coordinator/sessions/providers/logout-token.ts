import { errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from 'jose'

import { isRecord } from '../../../lib/is-record.js'
import { type EndedAtProvider, ProviderError } from './provider.js'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** Signatures with a public key. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
/** Seconds in which a token is valid after it was issued. */
export const LOGOUT_TOKEN_LIFE = 300
/** Seconds by which clocks may differ. */
const TOLERANCE = 30

interface Expected {
  issuer: string
  clientId: string
  /** Finds the public key of a signature. */
  keys: JWTVerifyGetKey
}

/** Reads a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6). Throws `ProviderError`. */
export async function readLogoutToken(
  token: string,
  { issuer, clientId, keys }: Expected,
): Promise<EndedAtProvider> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer,
      audience: clientId,
      algorithms: ALGORITHMS,
      requiredClaims: ['iat', 'jti'],
      maxTokenAge: LOGOUT_TOKEN_LIFE,
      clockTolerance: TOLERANCE,
    })
    const problem = problemOf(payload, protectedHeader.typ)
    if (problem !== undefined) throw new ProviderError('invalid', problem, undefined)
    const { sub, sid, jti = '' } = payload
    return { subject: sub, sid: typeof sid === 'string' ? sid : undefined, messageId: jti }
  } catch (error) {
    if (error instanceof ProviderError) throw error
    if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)) {
      throw new ProviderError('invalid', error.message, error)
    }
    throw new ProviderError('unreachable', 'The keys of the provider are not reachable', error)
  }
}

/** What is wrong with the claims of a token whose signature, issuer and audience are right. */
function problemOf({ sub, sid, events, nonce }: JWTPayload, type: string | undefined): string | undefined {
  if (type !== undefined && !/^(?:application\/)?(?:logout\+)?jwt$/i.test(type))
    return 'typ must be logout+jwt'
  if (!isRecord(events) || !isRecord(events[EVENT])) return `events must contain ${EVENT}`
  if (nonce !== undefined) return 'nonce must be absent'
  if (sub === undefined && typeof sid !== 'string') return 'sub or sid is required'
  return undefined
}
