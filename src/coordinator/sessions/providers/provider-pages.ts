import type { FastifyReply } from 'fastify'

import { markup } from '../../http/html-page.js'
import { sendForm } from '../sign-in-page.js'

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
