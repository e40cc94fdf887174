import type { FastifyReply } from 'fastify'

import { markup, sendPage } from '../../http/html-page.js'
import type { SessionDeps } from '../session-deps.js'
import { type Attempt, AttemptCookies } from './attempt.js'
import type { IdentityProvider } from './provider.js'

export type Wanted = Pick<Attempt, 'purpose' | 'sessionId' | 'staysSignedIn'> & {
  returnTo: string | undefined
}

/** Begins a sign-in: gives its cookie to the browser, and returns where the browser goes. Throws `ProviderError`. */
export async function beginAttempt(
  { secrets, externalUrl }: Pick<SessionDeps, 'secrets' | 'externalUrl'>,
  reply: FastifyReply,
  provider: IdentityProvider,
  { returnTo, ...wanted }: Wanted,
): Promise<URL> {
  const { url, state, kept } = await provider.begin({ asksAgain: wanted.purpose === 'confirm' })
  const attempt = { ...wanted, provider: provider.name, state, kept, returnTo: returnTo ?? null }
  new AttemptCookies(secrets, externalUrl).set(reply, attempt)
  return url
}

/**
 * Leads the browser on after a form. Browsers apply `form-action` to redirects of a form too, and the policy of the page
 * names no other origin.
 */
export function sendToProvider(reply: FastifyReply, url: URL, label: string): FastifyReply {
  reply.header('refresh', `0;url=${url.href}`)
  const body = markup`<p>You sign in there, and come back.</p>
<div class="buttons"><a class="main" href="${url.href}">Continue</a></div>`
  return sendPage(reply, 200, { title: `Continue to ${label}`, body })
}
