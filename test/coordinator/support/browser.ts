import type { FastifyInstance, LightMyRequestResponse } from 'fastify'

import type { User } from '../../../src/coordinator/access/caller.js'
import type { Database } from '../../../src/coordinator/database/connect.js'
import { csrfTokenOf } from '../../../src/coordinator/http/authentication/csrf.js'
import { sessionCookieOf } from '../../../src/coordinator/http/authentication/session-cookie.js'
import { type NewSession, openSession } from '../../../src/coordinator/sessions/open-session.js'
import { EXTERNAL_URL } from './test-app.js'

/** A browser that is signed in. */
export interface Browser {
  sessionId: number
  /** The value of the session cookie. */
  cookie: string
  /** The headers of a read. */
  headers: { cookie: string }
  /** The headers with which a page of the instance sends a change. */
  changing: { cookie: string; 'x-csrf-token': string; origin: string; 'sec-fetch-site': string }
}

export async function openBrowser(
  database: Database,
  user: Pick<User, 'id'>,
  more: Partial<NewSession> = {},
  externalUrl: string = EXTERNAL_URL,
): Promise<Browser> {
  const session = await openSession(database, {
    user,
    staysSignedIn: false,
    isConfirmed: true,
    personalTokenId: null,
    address: '127.0.0.1',
    userAgent: 'Browser of the tests',
    ...more,
  })
  return browserWith(session.cookie, session.id, externalUrl)
}

export function browserWith(cookie: string, sessionId = 0, externalUrl: string = EXTERNAL_URL): Browser {
  const headers = { cookie: `${sessionCookieOf(externalUrl).name}=${cookie}` }
  const page = { 'x-csrf-token': csrfTokenOf(cookie), origin: externalUrl, 'sec-fetch-site': 'same-origin' }
  return { sessionId, cookie, headers, changing: { ...headers, ...page } }
}

/** A call of the API as a page of the instance makes it. */
export function callAs(
  app: FastifyInstance,
  browser: Browser,
  route: string,
  body?: object,
): Promise<LightMyRequestResponse> {
  const [method = 'GET', path = '/'] = route.split(' ', 2)
  return app.inject({
    method,
    url: `/api/v4${path}`,
    headers: method === 'GET' ? browser.headers : browser.changing,
    ...(body && { payload: body }),
  })
}
