import type { FastifyReply } from 'fastify'

import { markup, sendPage } from '../../../http/html-page.js'
import type { Given } from '../given.js'
import { scopeList } from '../pages/scope-names.js'
import { hiddenField, type Refusal, signInFields } from '../pages/sign-in-fields.js'
import type { Asker, AuthorizationRequest } from './authorization-request.js'
import { policySourceOf } from './redirect-target.js'

/** Parameters of the request that the form submits again; they are checked again then. */
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

/** Shows the consent page, which asks for a decision, username and password. */
export function sendConsentPage(
  reply: FastifyReply,
  given: Given,
  { client, redirectUri }: Asker,
  { scopes }: AuthorizationRequest,
  refusal?: Refusal,
): FastifyReply {
  const title = `Authorize ${client.name}?`
  const body = markup`
<p>The application <b>${client.name}</b> requests access to your account, to:</p>
${scopeList(scopes)}
<form method="post" action="authorize">
${KEPT.map((name) => hiddenField(name, given.text(name)))}
${signInFields(refusal)}
</form>
<small>You will be redirected to ${placeOf(redirectUri)}. Enter your password only if you want to authorize this
application.</small>`
  const formActions = ["'self'", policySourceOf(redirectUri)]
  return sendPage(reply, refusal?.status ?? 200, { title, alert: refusal?.message, body, formActions })
}

/** Shows an error page for a request that cannot be redirected. */
export function sendRefusalPage(reply: FastifyReply, status: number, message: string): FastifyReply {
  const title = 'Authorization failed'
  const body = markup`
<p>Go back to the application. If it sends you here again, contact its operator.</p>`
  return sendPage(reply, status, { title, alert: message, body })
}

function placeOf(uri: string): string {
  const { host, protocol } = new URL(uri)
  return host === '' ? `the program registered for ${protocol}` : host
}
