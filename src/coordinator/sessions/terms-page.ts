import type { FastifyReply } from 'fastify'

import { renderMarkdown } from '../../lib/markdown/render-markdown.js'
import type { Terms } from '../accounts/terms/terms.js'
import { CSRF_PARAMETER } from '../http/authentication/csrf.js'
import type { RequestSession } from '../http/authentication/read-session.js'
import { Markup, markup } from '../http/html-page.js'
import { hidden, sendForm } from './sign-in-page.js'

export interface TermsPage {
  terms: Terms
  /** Path of the page after this one. */
  next: string
  /** Undefined for visitors, who may read the terms. */
  session: RequestSession | undefined
}

export async function sendTermsPage(
  reply: FastifyReply,
  { terms, next, session }: TermsPage,
): Promise<FastifyReply> {
  const body = markup`${await termsText(terms.text)}
${session ? (session.mustAcceptTerms ? decision(terms, next, session) : accepted(next)) : VISITOR}`
  return sendForm(reply, { title: 'Terms of service', body })
}

/** The text with a frame of its own, which a keyboard can scroll. */
export async function termsText(text: string): Promise<Markup> {
  const html = new Markup(await renderMarkdown(text))
  return markup`<section class="terms" aria-label="Terms of service" tabindex="0">${html}</section>`
}

function decision({ version }: Terms, next: string, { user, csrfToken }: RequestSession): Markup {
  return markup`<form method="post" action="terms/accept">
${hidden(CSRF_PARAMETER, csrfToken)}
${hidden('redirect', next)}
${hidden('version', String(version))}
<p>Accept the terms to continue as <b>${user.name}</b> (${user.username}). If you decline them, you are signed out.</p>
<div class="buttons"><button class="main">Accept terms</button>
<button formaction="terms/decline">Decline and sign out</button></div>
</form>`
}

function accepted(next: string): Markup {
  return markup`<p role="status">You have accepted these terms.</p>
<p><a href="${next}">Continue</a></p>`
}

const VISITOR = markup`<p>Users of this instance accept these terms. <a href="../../users/sign_in">Sign in</a></p>`
