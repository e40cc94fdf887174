import type { FastifyReply } from 'fastify'

import type { Given } from '../given.js'
import type { Asker, AuthorizationRequest } from './authorization-request.js'
import { type Markup, markup, sendPage } from './page.js'
import { policySourceOf } from './redirect-target.js'
import { nameOfScope } from './scope-names.js'

/** Everything of the request that the form brings back; it is checked anew then. */
const KEPT = [
  ...['client_id', 'redirect_uri', 'response_type', 'state', 'scope'],
  ...['code_challenge', 'code_challenge_method'],
]

/** What was wrong with the form that came before. */
export interface Refusal {
  status: number
  message: string
  username: string
}

/** Asks a user whether an application may act for them, and for their name and password: there is no session to know them by. */
export function sendConsentPage(
  reply: FastifyReply,
  given: Given,
  { client, redirectUri }: Asker,
  { scopes }: AuthorizationRequest,
  refusal?: Refusal,
): FastifyReply {
  const title = `Let ${client.name} in?`
  const body = markup`
<h1>${title}</h1>
${refusal ? markup`<p role="alert">${refusal.message}</p>` : ''}
<p>The application <b>${client.name}</b> asks for access to your account, to:</p>
<ul>${scopes.map((scope) => markup`<li>${nameOfScope(scope)}</li>`)}</ul>
<form method="post" action="authorize">
${KEPT.map((name) => hiddenField(name, given))}
<label>User name or e-mail address
<input name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required
  value="${refusal?.username ?? ''}"></label>
<label>Password
<input name="password" type="password" autocomplete="current-password" required></label>
<div class="buttons">
<button class="main">Allow</button>
<button name="decision" value="deny" formnovalidate>Refuse</button>
</div>
</form>
<small>You are sent back to ${placeOf(redirectUri)}. Give your password only if you came here to let this application
in.</small>`
  const formAction = policySourceOf(redirectUri)
  return sendPage(reply, refusal?.status ?? 200, { title, body, formAction })
}

/** Tells of a request that leads nowhere. */
export function sendRefusalPage(reply: FastifyReply, status: number, message: string): FastifyReply {
  const title = 'This does not work'
  const body = markup`
<h1>${title}</h1>
<p role="alert">${message}</p>
<p>Go back to the application. If it sends you here again, tell those who run it.</p>`
  return sendPage(reply, status, { title, body })
}

function hiddenField(name: string, given: Given): Markup {
  const value = given.text(name)
  return value === undefined ? markup`` : markup`<input type="hidden" name="${name}" value="${value}">`
}

function placeOf(uri: string): string {
  const { host, protocol } = new URL(uri)
  return host === '' ? `the program that opens ${protocol}` : host
}
