import { Secret, TOTP } from 'otpauth'

import { csrfTokenOf } from '../../../src/coordinator/http/authentication/csrf.js'
import { EXTERNAL_URL } from '../support/test-app.js'
import { PASSWORD, type SignInScene, type Visitor } from './scene.js'

export const BY_PASSWORD = { username: 'mary', password: PASSWORD }
export const CODE_PAGE = '/users/second_factor'

/** The code of an app with this secret, `steps` of 30 seconds from now. */
export function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })
}

/** Sends a request of a page of the visitor to the API, with the session. */
export async function callAs(
  scene: SignInScene,
  visitor: Visitor,
  method: 'GET' | 'POST' | 'DELETE' | 'PUT',
  path: string,
  body: object = {},
) {
  const secure = visitor.cookies.get('__Host-switchyard')
  const cookie = secure ?? visitor.cookies.get('switchyard_session') ?? ''
  const origin = secure === undefined ? EXTERNAL_URL : EXTERNAL_URL.replace('http:', 'https:')
  const headers = { ...visitor.cookieHeader, 'x-csrf-token': csrfTokenOf(cookie), origin }
  const request = { method, url: `/api/v4${path}`, headers }
  return scene.app.inject(method === 'GET' ? request : { ...request, payload: body })
}

export interface App {
  code: (steps?: number) => string
  recoveryCodes: string[]
}

/** Signs mary in and sets her app up. The code of the present step is left for the next sign-in. */
export async function enrol(scene: SignInScene, visitor = scene.visitor()): Promise<App> {
  await visitor.signIn(BY_PASSWORD)
  const { secret } = (await callAs(scene, visitor, 'POST', '/user/two_factor/totp')).json<{
    secret: string
  }>()
  const body = { code: codeOf(secret, -1) }
  const confirmed = await callAs(scene, visitor, 'POST', '/user/two_factor/totp/confirm', body)
  const { recovery_codes: recoveryCodes } = confirmed.json<{ recovery_codes: string[] }>()
  return { code: (steps) => codeOf(secret, steps), recoveryCodes }
}
