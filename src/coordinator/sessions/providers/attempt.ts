import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'

import { MINUTE } from '../../../lib/time-units.js'
import { openToken, sealToken } from '../../crypto/sealed-token.js'
import type { SecretBox } from '../../crypto/secret-box.js'
import { attemptCookieOf, type TokenCookie } from '../../http/authentication/session-cookie.js'
import { Nullable } from '../../http/parameters/types.js'

/** Milliseconds within which a user comes back from the provider. */
export const ATTEMPT_LIFE = 15 * MINUTE
/** Longest cookie, in characters: browsers keep 4,096 bytes with its name. */
const MAX_COOKIE = 3800
/** Longest page to return to, in characters; a longer one would not fit. */
const MAX_RETURN_TO = 1200

/** Why the browser was sent to the provider. */
const Purpose = Type.Union([
  Type.Literal('sign-in'),
  Type.Literal('link'),
  Type.Literal('confirm'),
  Type.Literal('try'),
])
export type Purpose = Static<typeof Purpose>

const Attempt = Type.Object({
  provider: Type.String(),
  state: Type.String(),
  kept: Type.Record(Type.String(), Type.String()),
  purpose: Purpose,
  /** The session of the user who links an identity or confirms the session; null at a sign-in. */
  sessionId: Nullable(Type.Integer()),
  returnTo: Nullable(Type.String()),
  /** Whether the session outlives the browser. */
  staysSignedIn: Type.Boolean(),
  /** In milliseconds since 1970. */
  until: Type.Number(),
})

/** A sign-in that continues at a provider. */
export type Attempt = Static<typeof Attempt>

/**
 * Attempts are in a sealed cookie of the browser that begins them, so that no other browser can finish them. A second
 * one replaces the first.
 */
export class AttemptCookies {
  private readonly cookie: TokenCookie

  constructor(
    private readonly secrets: SecretBox,
    externalUrl: string,
  ) {
    this.cookie = attemptCookieOf(externalUrl, MAX_COOKIE)
  }

  set(reply: FastifyReply, { returnTo, ...attempt }: Omit<Attempt, 'until'>): void {
    const content: Attempt = {
      ...attempt,
      returnTo: returnTo !== null && returnTo.length > MAX_RETURN_TO ? null : returnTo,
      until: Date.now() + ATTEMPT_LIFE,
    }
    reply.header('set-cookie', this.cookie.set(sealToken(this.secrets, content), ATTEMPT_LIFE / 1000))
  }

  /** The attempt of the browser; undefined if there is none, or it is too old. */
  read(request: FastifyRequest): Attempt | undefined {
    const value = this.cookie.read(request.headers)
    const attempt = value === undefined ? undefined : openToken(this.secrets, Attempt, value, MAX_COOKIE)
    return attempt && attempt.until > Date.now() ? attempt : undefined
  }

  clear(reply: FastifyReply): void {
    reply.header('set-cookie', this.cookie.clear())
  }
}
