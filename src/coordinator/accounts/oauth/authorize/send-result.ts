import type { FastifyReply } from 'fastify'

import { markup, sendPage } from '../../../http/html-page.js'
import type { Given } from '../given.js'
import { OauthError } from '../oauth-errors.js'
import { hiddenField } from '../pages/sign-in-fields.js'
import { policySourceOf, withFragment, withQuery } from './redirect-target.js'

/** How the result reaches the client (OAuth 2.0 Multiple Response Type Encoding Practices, 2.1; Form Post Response Mode). */
export const RESPONSE_MODES = ['query', 'fragment', 'form_post'] as const
type ResponseMode = (typeof RESPONSE_MODES)[number]

type Result = Record<string, string>

/** Where the browser is sent. */
interface Target {
  redirectUri: string
}

/** Throws `invalid_request` for an unknown mode, and for a form that cannot be sent to the address. */
export function readResponseMode({ redirectUri }: Target, given: Given): ResponseMode {
  const named = given.text('response_mode') ?? 'query'
  const mode = RESPONSE_MODES.find((known) => known === named)
  if (!mode) {
    throw new OauthError('invalid_request', `The response_mode must be one of: ${RESPONSE_MODES.join(', ')}.`)
  }
  if (mode === 'form_post' && !/^https?:/i.test(redirectUri)) {
    throw new OauthError('invalid_request', 'The response_mode form_post requires an HTTP redirect URI.')
  }
  return mode
}

/** Sends the browser back to the client, with the result and the `state` of the request. */
export function sendResult(reply: FastifyReply, asker: Target, given: Given, result: Result): FastifyReply {
  const { mode, values } = responseOf(asker, given, result)
  if (mode === 'form_post') {
    const title = 'Going back to the application'
    const script = 'document.forms[0].submit()'
    return sendPage(reply, 200, { title, script, ...resultForm(asker, mode, values) })
  }
  return reply
    .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    .redirect(locationOf(asker, mode, values), 302)
}

/**
 * Shows an error with a button that leads back to the client. Without a click, a link to this server would lead to any
 * address that its author has registered (RFC 9700, 4.11.2).
 */
export function sendErrorPage(
  reply: FastifyReply,
  asker: Target,
  given: Given,
  { error, description }: OauthError,
): FastifyReply {
  const { mode, values } = responseOf(asker, given, { error, error_description: description })
  return sendPage(reply, 400, {
    title: 'Authorization failed',
    alert: description,
    ...resultForm(asker, mode, values),
  })
}

function responseOf(asker: Target, given: Given, result: Result): { mode: ResponseMode; values: Result } {
  const state = unlessMalformed(() => given.text('state'))
  return {
    mode: unlessMalformed(() => readResponseMode(asker, given)) ?? 'query',
    values: { ...result, ...(state !== undefined && { state }) },
  }
}

/** Undefined for a malformed parameter, which may be the error that is being reported. */
function unlessMalformed<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof OauthError) return undefined
    throw error
  }
}

function locationOf({ redirectUri }: Target, mode: ResponseMode, values: Result): string {
  return mode === 'fragment' ? withFragment(redirectUri, values) : withQuery(redirectUri, values)
}

/** A form that sends the values to the client. */
function resultForm(asker: Target, mode: ResponseMode, values: Result) {
  const { redirectUri } = asker
  const host = new URL(redirectUri).host || redirectUri
  const back = markup`<div class="buttons"><button class="main">Go back to ${host}</button></div>`
  const formActions = [policySourceOf(redirectUri)]
  if (mode === 'form_post') {
    const fields = Object.entries(values).map(([name, value]) => hiddenField(name, value))
    return { formActions, body: markup`<form method="post" action="${redirectUri}">${fields}${back}</form>` }
  }
  const location = locationOf(asker, mode, values)
  return {
    body: markup`<div class="buttons"><a class="main" href="${location}" rel="noreferrer">Go back to ${host}</a></div>`,
  }
}
