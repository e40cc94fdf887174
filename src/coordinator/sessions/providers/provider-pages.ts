import type { FastifyReply } from 'fastify'

import type { Logger } from '../../../lib/logger.js'
import { markup } from '../../http/html-page.js'
import type { SignInRefusal } from '../identify.js'
import { sendForm } from '../sign-in-page.js'
import type { Provider, ProviderError } from './provider.js'

export const SESSION_ENDED = { status: 401, message: 'Your session has ended. Sign in again.' }
export const ADMINISTRATORS_ONLY = { status: 403, message: 'This page is for administrators.' }

const STATUSES = { unreachable: 503, refused: 403, invalid: 400 } as const

/** What a user is shown for an error of a provider, which is logged unless the provider has refused the user. */
export function refusalOfProblem(
  logger: Logger,
  { name }: Pick<Provider, 'name'>,
  error: ProviderError,
): SignInRefusal {
  if (error.kind !== 'refused') logger.warn({ err: error, provider: name }, 'A sign-in by a provider failed')
  return { status: STATUSES[error.kind], message: error.message }
}

export const UNKNOWN_PROVIDER = {
  status: 404,
  message: 'This instance has no identity provider with this name.',
}

/** Why a sign-in by a provider did not succeed. */
export function sendFailedSignIn(
  reply: FastifyReply,
  { status, message, retryAfter }: { status: number; message: string; retryAfter?: number },
): FastifyReply {
  const body = markup`<p><a href="/users/sign_in?auto=0">Sign in in another way</a></p>`
  const refusal = { status, message, ...(retryAfter !== undefined && { retryAfter }) }
  return sendForm(reply, { title: 'You are not signed in', body, refusal })
}

/** The result of something that a user who is signed in has done with an identity. */
export function sendOwnResult(
  reply: FastifyReply,
  { status, title, message }: { status: number; title: string; message: string },
): FastifyReply {
  const body = markup`<p><a href="/-/user_settings/active_sessions">Back to your account</a></p>`
  return sendForm(reply, { title, body, refusal: { status, message } })
}
