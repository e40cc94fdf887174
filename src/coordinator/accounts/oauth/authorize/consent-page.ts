import type { FastifyReply } from 'fastify'

import type { Given } from '../given.js'
import { markup, sendPage } from '../pages/page.js'
import { scopeList } from '../pages/scope-names.js'
import { hiddenField, type Refusal, signInFields } from '../pages/sign-in-fields.js'
import type { Asker, AuthorizationRequest } from './authorization-request.js'
import { policySourceOf } from './redirect-target.js'

/** Everything of the request that the form brings back; it is checked anew then. */
const KEPT = [
  'client_id',
  'redirect_uri',
  'response_type',
  'state',
  'scope',
  'code_challenge',
  'code_challenge_method',
  'nonce',
]

/** Asks a user whether an application may act for them, and for their name and password. */
export function sendConsentPage(
  reply: FastifyReply,
  given: Given,
  { client, redirectUri }: Asker,
  { scopes }: AuthorizationRequest,
  refusal?: Refusal,
): FastifyReply {
  const title = `Let ${client.name} in?`
  const body = markup`
<p>The application <b>${client.name}</b> asks for access to your account, to:</p>
${scopeList(scopes)}
<form method="post" action="authorize">
${KEPT.map((name) => hiddenField(name, given.text(name)))}
${signInFields(refusal)}
</form>
<small>You are sent back to ${placeOf(redirectUri)}. Give your password only if you came here to let this application
in.</small>`
  const formActions = ["'self'", policySourceOf(redirectUri)]
  return sendPage(reply, refusal?.status ?? 200, { title, alert: refusal?.message, body, formActions })
}

/** Tells of a request that leads nowhere. */
export function sendRefusalPage(reply: FastifyReply, status: number, message: string): FastifyReply {
  const title = 'This does not work'
  const body = markup`
<p>Go back to the application. If it sends you here again, tell those who run it.</p>`
  return sendPage(reply, status, { title, alert: message, body })
}

function placeOf(uri: string): string {
  const { host, protocol } = new URL(uri)
  return host === '' ? `the program that opens ${protocol}` : host
}
