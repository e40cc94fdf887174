import type { FastifyRequest } from 'fastify'

import { CSRF_PARAMETER, refuseForgery } from '../../http/authentication/csrf.js'
import { addressBefore, type RequestSession } from '../../http/authentication/read-session.js'
import { sessionCookieOf } from '../../http/authentication/session-cookie.js'
import { ApiError } from '../../http/errors.js'
import type { Given } from './given.js'
import type { OauthDeps } from './oauth-deps.js'

/** Time at which the user of a session has signed in, or has given a password or a token since then. */
export function signInTimeOf({ confirmedAt, createdAt }: RequestSession): number {
  return confirmedAt ?? createdAt
}

/**
 * The session of a submitted form, which must come from a page of this instance. Undefined if the form was made without a
 * session, and for a user who has to accept the terms of service or to set up a second factor. Throws 403 for a form of
 * another site.
 */
export async function sessionOfForm(
  { readSession, signer }: Pick<OauthDeps, 'readSession' | 'signer'>,
  request: FastifyRequest,
  given: Given,
): Promise<RequestSession | undefined> {
  const token = given.text(CSRF_PARAMETER)
  const session = token === undefined ? undefined : await readSession(request)
  const cookie = sessionCookieOf(signer.issuer).read(request.headers)
  if (!session || cookie === undefined || addressBefore('/', session) !== undefined) return undefined
  refuseForgery(request.headers, { [CSRF_PARAMETER]: token }, { cookie, externalUrl: signer.issuer })
  return session
}

/** The message of the page for a form that another site may have sent. */
export const FORGED = 'The form was not accepted. Open the page again, and allow cookies.'

export function isForgery(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403
}
