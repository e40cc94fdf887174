import { randomBytes } from 'node:crypto'

import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import { DAY } from '../../lib/time-units.js'
import { tokenDigest } from '../../lib/tokens.js'
import { openToken, sealToken } from '../crypto/sealed-token.js'
import type { SecretBox } from '../crypto/secret-box.js'
import { CSRF_PARAMETER } from '../http/authentication/csrf.js'
import { formCookieOf, type TokenCookie } from '../http/authentication/session-cookie.js'
import { formField } from './form-field.js'

/** Lifetime of a form, in milliseconds. */
const FORM_LIFE = DAY

const Content = Type.Object({ cookie: Type.String(), until: Type.Number() })

/**
 * Protects forms for visitors without a session, such as the sign-in form: another site could otherwise sign a browser in
 * to an account of the attacker. A form contains a sealed token that is valid only with the cookie of the same browser.
 */
export class FormTokens {
  private readonly cookie: TokenCookie

  constructor(
    private readonly secrets: SecretBox,
    externalUrl: string,
  ) {
    this.cookie = formCookieOf(externalUrl)
  }

  /** The token for a form of this response. Sets the cookie in a browser that has none. */
  create(request: FastifyRequest, reply: FastifyReply): string {
    const known = this.cookie.read(request.headers)
    const cookie = known ?? randomBytes(32).toString('base64url')
    if (known === undefined) reply.header('set-cookie', this.cookie.set(cookie))
    return sealToken(this.secrets, { cookie: tokenDigest(cookie), until: Date.now() + FORM_LIFE })
  }

  /** Whether the form of the request was made for its browser. */
  isValid(request: FastifyRequest): boolean {
    const cookie = this.cookie.read(request.headers)
    const content = openToken(this.secrets, Content, formField(request.body, CSRF_PARAMETER))
    return cookie !== undefined && content?.cookie === tokenDigest(cookie) && content.until > Date.now()
  }
}
