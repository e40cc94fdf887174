import type { FastifyReply } from 'fastify'

import type { User } from '../../../access/caller.js'
import type { RequestSession } from '../../../http/authentication/read-session.js'
import { markup, sendPage } from '../../../http/html-page.js'
import type { Client } from '../client.js'
import { decisionFields, otherAccountForm, registrantNote, signInLink } from '../pages/decision-fields.js'
import { projectField } from '../pages/project-field.js'
import { scopeList } from '../pages/scope-names.js'
import { hiddenField, type Refusal, signInFields } from '../pages/sign-in-fields.js'
import { shownUserCode } from './user-code.js'

/** A device request, as shown to a user who enters its code. */
export interface DeviceRequest {
  id: number
  code: string
  client: Client
  /** The user who has registered the client; undefined if administrators have. */
  registrant: Pick<User, 'name' | 'username'> | undefined
  scopes: string[]
}

interface DecisionForm {
  session: RequestSession | undefined
  /** The projects that were named before. */
  typed?: string | undefined
  refusal?: Refusal | undefined
}

const FORM_ACTIONS = ["'self'"]

/** Asks for the code that a device shows; `typed` is the initial value. */
export function sendCodePage(
  reply: FastifyReply,
  typed: string,
  refusal?: { status: number; message: string },
): FastifyReply {
  const title = 'Connect a device'
  const body = markup`
<p>Enter the code that your device or program shows.</p>
<form method="post" action="device">
<label>Code
<input class="code" name="user_code" autocomplete="off" autocapitalize="characters" spellcheck="false" required autofocus
  placeholder="XXXX-XXXX" value="${typed}"></label>
<div class="buttons">
<button class="main">Continue</button>
</div>
</form>
<small>If another person gave you the code or sent you here, do not continue: they would get access to your account.</small>`
  return sendPage(reply, refusal?.status ?? 200, {
    title,
    alert: refusal?.message,
    body,
    formActions: FORM_ACTIONS,
  })
}

/**
 * Shows the consent page for an application on a device, which asks for a decision; without a session, also for username
 * and password.
 */
export function sendDecisionPage(
  reply: FastifyReply,
  { code, client, registrant, scopes }: DeviceRequest,
  { session, typed, refusal }: DecisionForm,
): FastifyReply {
  const title = `Authorize ${client.name}?`
  const shown = shownUserCode(code)
  const returnTo = devicePathOf(code)
  const body = markup`
<p>The application <b>${client.name}</b>, on the device that shows the code</p>
<p class="code">${shown}</p>
<p>requests access to your account, to:</p>
${scopeList(scopes)}
${registrantNote(client, registrant)}
<form method="post" action="device">
${hiddenField('user_code', shown)}
${projectField(scopes, typed)}
${session ? decisionFields(session) : signInFields(refusal)}
</form>
${session ? otherAccountForm(session, returnTo) : signInLink(returnTo)}
<small>${session ? 'Allow this' : 'Enter your password'} only if you have the device in front of you and started the
sign-in there yourself.</small>`
  return sendPage(reply, refusal?.status ?? 200, {
    title,
    alert: refusal?.message,
    body,
    formActions: FORM_ACTIONS,
  })
}

export function sendDecidedPage(
  reply: FastifyReply,
  decision: 'allowed' | 'denied',
  { name }: Pick<Client, 'name'>,
): FastifyReply {
  const title = decision === 'allowed' ? `${name} is authorized` : `${name} is not authorized`
  const body = markup`
<p>You can close this page and go back to your device.</p>`
  return sendPage(reply, 200, { title, body })
}

/** The address at which a user decides about a device. */
export function devicePathOf(code: string): string {
  return `/oauth/device?${new URLSearchParams({ user_code: shownUserCode(code) }).toString()}`
}
