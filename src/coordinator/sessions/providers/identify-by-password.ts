import type { FastifyRequest } from 'fastify'

import { findUserOfIdentity } from '../../accounts/users/identities.js'
import { ApiError } from '../../http/errors.js'
import { formField } from '../form-field.js'
import { type SignInRefusal, tooManyAttempts, WRONG_PASSWORD } from '../identify.js'
import type { SessionDeps } from '../session-deps.js'
import { refusalOfProblem } from './provider-pages.js'
import { type PasswordProvider, type ProvenIdentity, ProviderError } from './provider.js'

export type IdentifiedByPassword =
  | { identity: ProvenIdentity; refusal?: undefined }
  | { identity?: undefined; refusal: SignInRefusal }

type Deps = Pick<SessionDeps, 'database' | 'guardOf' | 'logger' | 'providers'>

/**
 * The user of the provider whose `username` and `password` are in a form, or why there is none. Wrong passwords count for
 * the IP address, and for the user of the provider. Passwords of accounts are not tried.
 */
export async function identifyByPasswordAt(
  deps: Deps,
  request: FastifyRequest,
  provider: PasswordProvider,
): Promise<IdentifiedByPassword> {
  const guard = deps.guardOf(request.ip)
  const recordWrong = async (subject: string) => {
    const user = await findUserOfIdentity(deps.database, provider.name, subject)
    if (user) await guard.refused(user)
  }
  try {
    guard.check()
    const username = formField(request.body, 'username').trim()
    const password = formField(request.body, 'password')
    const tryPassword = deps.providers.passwordAttempts.at(
      { provider: provider.name, address: request.ip },
      recordWrong,
    )
    const identity = await provider.verify({ username, password }, tryPassword)
    if (identity) return { identity }
    await guard.failed()
    return { refusal: { status: 401, message: WRONG_PASSWORD } }
  } catch (error) {
    if (error instanceof ProviderError) return { refusal: refusalOfProblem(deps.logger, provider, error) }
    if (!(error instanceof ApiError) || error.status !== 429) throw error
    return { refusal: tooManyAttempts(error) }
  }
}
