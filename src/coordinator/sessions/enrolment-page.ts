import type { FastifyReply } from 'fastify'

import type { NewTotp } from '../accounts/two-factor/factors.js'
import { CSRF_PARAMETER } from '../http/authentication/csrf.js'
import type { RequestSession } from '../http/authentication/read-session.js'
import { type Markup, markup } from '../http/html-page.js'
import type { SignInRefusal } from './identify.js'
import { hidden, sendForm } from './sign-in-page.js'

export interface EnrolmentPage {
  session: Pick<RequestSession, 'csrfToken' | 'enrolBy'>
  /** Path of the page after this one. */
  next: string
  /** Undefined for a session that does not prove who is at the browser. */
  totp: NewTotp | undefined
  refusal?: SignInRefusal | undefined
}

/** Shows what an app needs, and asks for its first code. */
export function sendEnrolmentPage(reply: FastifyReply, page: EnrolmentPage): FastifyReply {
  const { session, next, totp, refusal } = page
  const body = markup`<p>${demandOf(session.enrolBy)}</p>
${totp ? setUp(page, totp) : SIGN_IN_AGAIN}
${isDue(session.enrolBy) ? '' : markup`<p class="other"><a href="${next}">Later</a></p>`}
<form method="post" action="../../users/sign_out">
${hidden(CSRF_PARAMETER, session.csrfToken)}
${hidden('return_to', next)}
<div class="buttons"><button>Sign out</button></div>
</form>`
  return sendForm(reply, { title: 'Set up two-factor authentication', body, refusal })
}

function isDue(enrolBy: number | null): boolean {
  return enrolBy !== null && enrolBy <= Date.now()
}

function demandOf(enrolBy: number | null): Markup {
  if (enrolBy === null || isDue(enrolBy)) {
    return markup`This instance, or one of your groups, requires a second factor of you. Set it up to go on.`
  }
  const time = new Date(enrolBy).toISOString()
  const shown = `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`
  return markup`This instance, or one of your groups, requires a second factor of you. Set it up before
<time datetime="${time}">${shown}</time>: from then on you can do nothing else.`
}

function setUp({ session, next }: EnrolmentPage, { secret, svg }: NewTotp): Markup {
  return markup`<p>Scan this code with an app for codes that change every 30 seconds, or type the secret.</p>
<p><img alt="QR code for the app" width="212" height="212" src="data:image/svg+xml,${encodeURIComponent(svg)}"></p>
<p><code>${secret.replaceAll(/.{4}(?=.)/g, '$& ')}</code></p>
<form method="post" action="two_factor">
${hidden(CSRF_PARAMETER, session.csrfToken)}
${hidden('redirect', next)}
<label>Code that the app shows
<input name="code" autocomplete="one-time-code" inputmode="numeric" required autofocus></label>
<div class="buttons"><button class="main">Turn on</button></div>
</form>`
}

const SIGN_IN_AGAIN = markup`<p>You signed in some time ago, or without your password. Sign out and sign in with the
password to set it up.</p>`

/** Shows the recovery codes, once. */
export function sendEnrolledPage(reply: FastifyReply, codes: readonly string[], next: string): FastifyReply {
  const body = markup`<p role="status">Two-factor authentication is on.</p>
<p>Keep these recovery codes in a safe place. Each replaces the second factor once; they are not shown again.</p>
<ul>${codes.map((code) => markup`<li><code>${code}</code></li>`)}</ul>
<div class="buttons"><a class="main" href="${next}">I have kept them</a></div>`
  return sendForm(reply, { title: 'Your recovery codes', body })
}
