import type { User } from '../../access/caller.js'
import { ApiError } from '../../http/errors.js'
import type { Given } from './given.js'
import type { OauthDeps } from './oauth-deps.js'
import type { Refusal } from './pages/sign-in-fields.js'

export type SignedIn = { user: User; refusal?: undefined } | { user?: undefined; refusal: Refusal }

/** The user of a submitted sign-in form, or the error message. Throws 429 after too many wrong passwords. */
export async function signIn(
  { authenticator, rateLimits, guardOf }: OauthDeps,
  address: string,
  given: Given,
): Promise<SignedIn> {
  const username = given.text('username') ?? ''
  const refused = (status: number, message: string) => ({ refusal: { status, message, username } })
  try {
    const password = given.text('password') ?? ''
    const user = await authenticator.identifyByPassword(username, password, guardOf(address))
    if (user) return { user }
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) {
      return refused(403, String(error.body['message']).replace('403 Forbidden - ', ''))
    }
    throw error
  }
  await rateLimits.recordFailure(address)
  return refused(401, 'Wrong username or password.')
}
