import type { FastifyRequest } from 'fastify'

import type { Caller } from '../../access/caller.js'
import { ApiError, forbidden, invalidParameters, unauthorized } from '../errors.js'
import type { Method } from '../operation.js'
import { isStorableText } from '../parameters/storable-text.js'
import type { RateLimits } from '../rate-limits/rate-limits.js'
import { type Authenticator, isSetupRefusal } from './authenticator.js'
import { type Credential, JOB_TOKEN_PREFIX, readCredential } from './credential.js'
import { refuseForgery } from './csrf.js'
import { hasOneOf, insufficientScope, sufficientScopes } from './scopes.js'
import { sessionCookieOf } from './session-cookie.js'

/** The credentials that an operation accepts. */
export interface CallerRules {
  method: Method
  /** Job tokens are accepted. */
  jobToken: boolean
  /** Whether the operation accepts anonymous callers. */
  open: boolean
  scopes: readonly string[]
  /**
   * Whether the cookie of a browser session is accepted. `page`: like `yes`, but a session that has ended counts as
   * none, so that its browser still sees what is public; so does one whose user has to accept the terms of service, or to
   * set up a second factor.
   */
  session: 'yes' | 'page' | 'no'
}

interface CallerDeps {
  authenticator: Authenticator
  rateLimits: RateLimits
  /** The URL that clients use: pages of other origins cannot use a session. */
  externalUrl: string
}

export type ReadCaller = (
  request: Pick<FastifyRequest, 'headers' | 'ip'>,
  params: Record<string, unknown>,
) => Promise<Caller>

export function createCallerReader(
  { authenticator, rateLimits, externalUrl }: CallerDeps,
  rules: CallerRules,
): ReadCaller {
  const cookie = rules.session === 'no' ? undefined : sessionCookieOf(externalUrl)
  const sufficient = sufficientScopes(rules.method, rules.scopes)

  return async ({ headers, ip }, params) => {
    const credential = readCredential(headers, params, cookie)
    const who = headers['sudo'] ?? params['sudo']
    const isNamed = (typeof who === 'string' && who !== '') || typeof who === 'number'
    if (!credential && isNamed) throw unauthorized()
    if (isNamed && !isStorableText(String(who))) throw invalidParameters('sudo is invalid')
    if (!credential || isLeftToOperation(credential, rules)) return { kind: 'anonymous' }
    if (credential.kind === 'session' && rules.method !== 'GET') {
      refuseForgery(headers, params, { cookie: credential.token, externalUrl })
    }
    const caller = await identify(credential, ip)
    if (caller.kind === 'job' && !rules.jobToken) throw forbidden()
    if (caller.kind === 'user' && !hasOneOf(caller.scopes, sufficient)) throw insufficientScope(sufficient)
    return isNamed ? authenticator.actAs(caller, String(who)) : caller
  }

  /**
   * Limits the rate of callers that try many credentials. A cookie is too long to be guessed, and the pages of a browser
   * whose session has ended send it many times.
   */
  async function identify(credential: Credential, address: string): Promise<Caller> {
    try {
      return await authenticator.identify(credential)
    } catch (error) {
      const isUnknown = error instanceof ApiError && error.status === 401
      if (isUnknown && credential.kind !== 'session') await rateLimits.recordFailure(address)
      const isUseless = credential.kind === 'session' && (isUnknown || isSetupRefusal(error))
      if (isUseless && rules.session === 'page') return { kind: 'anonymous' }
      throw error
    }
  }
}

/** Operations for runners check the job token themselves, whichever header contains it (API, A1). */
function isLeftToOperation({ kind, token }: Credential, rules: CallerRules): boolean {
  return rules.open && !rules.jobToken && (kind === 'job' || token.startsWith(JOB_TOKEN_PREFIX))
}
