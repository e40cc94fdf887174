import type { FastifyRequest } from 'fastify'

import type { User } from '../../access/caller.js'
import { type Authenticator, mustEnrol } from './authenticator.js'
import { csrfTokenOf } from './csrf.js'
import { sessionCookieOf } from './session-cookie.js'

/** The browser session of a request. */
export interface RequestSession {
  id: number
  user: User
  /** What the page sends with each change; see `csrfTokenOf`. */
  csrfToken: string
  /** When the user last gave a password or a token, in milliseconds since 1970; null = not in this session. */
  confirmedAt: number | null
  /** When the user signed in, in milliseconds since 1970. */
  createdAt: number
  /** Whether the user has to accept the terms of service before anything else; see `termsAddress`. */
  mustAcceptTerms: boolean
  /**
   * From when on the session is only for setting up a second factor, in milliseconds since 1970; null = the user needs
   * none.
   */
  enrolBy: number | null
}

/** The page on which users accept the terms of service, before the page `next`. */
export function termsAddress(next: string): string {
  return `/-/users/terms?redirect=${encodeURIComponent(next)}`
}

/** The page on which users set up a second factor, before the page `next`. */
export function enrolmentAddress(next: string): string {
  return `/-/users/two_factor?redirect=${encodeURIComponent(next)}`
}

/**
 * The page that the user of a session has to open before the page `next`; undefined if there is none. A session with one
 * shows and changes nothing else.
 */
export function addressBefore(
  next: string,
  { mustAcceptTerms, enrolBy }: Pick<RequestSession, 'mustAcceptTerms' | 'enrolBy'>,
): string | undefined {
  if (mustAcceptTerms) return termsAddress(next)
  return mustEnrol({ enrol_by: enrolBy }) ? enrolmentAddress(next) : undefined
}

export type ReadSession = (request: Pick<FastifyRequest, 'headers'>) => Promise<RequestSession | undefined>

/**
 * Reads the session of requests for pages; undefined without one, and for one that has ended. It does not check the
 * origin of a request. Operations that make changes must check it.
 */
export function createSessionReader({
  authenticator,
  externalUrl,
}: {
  authenticator: Authenticator
  externalUrl: string
}): ReadSession {
  const sessionCookie = sessionCookieOf(externalUrl)
  return async ({ headers }) => {
    const cookie = sessionCookie.read(headers)
    const session = cookie === undefined ? undefined : await authenticator.findSession(cookie)
    if (cookie === undefined || !session) return undefined
    const { id, user, confirmed_at, created_at, must_accept_terms, enrol_by } = session
    return {
      id,
      user,
      csrfToken: csrfTokenOf(cookie),
      confirmedAt: confirmed_at,
      createdAt: created_at,
      mustAcceptTerms: must_accept_terms,
      enrolBy: enrol_by,
    }
  }
}
