import type { FastifyReply } from 'fastify'

import type { RequestSession } from '../../../http/authentication/read-session.js'
import { markup, sendPage } from '../../../http/html-page.js'
import type { Given } from '../given.js'
import { decisionFields, otherAccountForm, registrantNote, signInLink } from '../pages/decision-fields.js'
import { projectField } from '../pages/project-field.js'
import { scopeList } from '../pages/scope-names.js'
import { hiddenField, type Refusal, signInFields } from '../pages/sign-in-fields.js'
import type { Asker, AuthorizationRequest } from './authorization-request.js'
import { policySourceOf } from './redirect-target.js'

/** Parameters of the request that the form submits again; they are checked again then. */
const KEPT = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'state',
  'scope',
  'code_challenge',
  'code_challenge_method',
  'nonce',
  'prompt',
  'max_age',
]

/** Longest path that the sign-in page comes back to, in characters. */
const MAX_PATH_LENGTH = 2000

export interface Consent {
  given: Given
  asker: Asker
  asked: AuthorizationRequest
  /** The session in which the user decides; undefined for a page that asks for the password. */
  session: RequestSession | undefined
  /** The user whose password is asked for again. */
  knownAs?: string | undefined
  refusal?: Refusal | undefined
}

/** Shows the consent page, which asks for a decision; without a session, also for username and password. */
export function sendConsentPage(
  reply: FastifyReply,
  {
    given,
    asker: { client, registrant, redirectUri },
    asked: { scopes },
    session,
    knownAs,
    refusal,
  }: Consent,
): FastifyReply {
  const title = `Authorize ${client.name}?`
  const returnTo = pathOf(given)
  const body = markup`
<p>The application <b>${client.name}</b> requests access to your account, to:</p>
${scopeList(scopes)}
${registrantNote(client, registrant)}
<form method="post" action="authorize">
${KEPT.map((name) => hiddenField(name, given.text(name)))}
${projectField(scopes, given.text('projects'))}
${session ? decisionFields(session) : signInFields(refusal ?? usernameOf(knownAs))}
</form>
${returnTo === undefined ? '' : session ? otherAccountForm(session, returnTo) : signInLink(returnTo)}
<small>You will be redirected to ${destinationName(redirectUri)}. ${session ? 'Allow this' : 'Enter your password'} only if you
want to authorize this application.</small>`
  const formActions = ["'self'", policySourceOf(redirectUri)]
  return sendPage(reply, refusal?.status ?? 200, { title, alert: refusal?.message, body, formActions })
}

function usernameOf(knownAs: string | undefined): Pick<Refusal, 'username'> | undefined {
  return knownAs === undefined ? undefined : { username: knownAs }
}

/**
 * The path of this request, to come back to after the sign-in, which then has just happened: the page need not ask again.
 * Undefined if it is too long.
 */
function pathOf(given: Given): string | undefined {
  const kept = KEPT.filter((name) => name !== 'prompt' && name !== 'max_age')
  const query = new URLSearchParams()
  for (const name of kept) {
    const value = given.text(name)
    if (value !== undefined) query.append(name, value)
  }
  const path = `/oauth/authorize?${query.toString()}`
  return path.length > MAX_PATH_LENGTH ? undefined : path
}

/** Shows an error page for a request that cannot be redirected. */
export function sendRefusalPage(reply: FastifyReply, status: number, message: string): FastifyReply {
  const title = 'Authorization failed'
  const body = markup`
<p>Go back to the application. If it sends you here again, contact its operator.</p>`
  return sendPage(reply, status, { title, alert: message, body })
}

function destinationName(uri: string): string {
  const { host, protocol } = new URL(uri)
  return host === '' ? `the program registered for ${protocol}` : host
}
