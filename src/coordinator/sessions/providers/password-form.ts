import type { FastifyReply, FastifyRequest } from 'fastify'

import { CSRF_PARAMETER } from '../../http/authentication/csrf.js'
import type { RequestSession } from '../../http/authentication/read-session.js'
import { markup } from '../../http/html-page.js'
import { formField } from '../form-field.js'
import type { SignInRefusal } from '../identify.js'
import type { SessionDeps } from '../session-deps.js'
import { hidden, passwordFields, sendForm } from '../sign-in-page.js'
import { type ArrivedIdentity, isAdministrator, useIdentity } from './arrived-identity.js'
import { identifyByPasswordAt } from './identify-by-password.js'
import { ADMINISTRATORS_ONLY, sendFailedSignIn } from './provider-pages.js'
import type { PasswordProvider } from './provider.js'

interface Asked {
  provider: PasswordProvider
  purpose: ArrivedIdentity['purpose']
  session: RequestSession
  returnTo: string | undefined
}

/**
 * Asks a user who is signed in for the username and password at a provider, and uses the identity that they prove. The
 * caller has checked that the form of the request is of the session.
 */
export async function askForPassword(
  deps: SessionDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: Asked,
): Promise<FastifyReply> {
  const { provider, purpose, session, returnTo = null } = asked
  if (purpose === 'try' && !isAdministrator(request, session)) {
    return sendFailedSignIn(reply, ADMINISTRATORS_ONLY)
  }
  if (formField(request.body, 'username') === '') return sendPasswordForm(reply, asked)
  const begunAt = Date.now()
  const { identity, refusal } = await identifyByPasswordAt(deps, request, provider)
  if (refusal)
    return sendPasswordForm(reply, asked, { username: formField(request.body, 'username'), refusal })
  const sessionId = session.id
  return useIdentity(deps, request, reply, { ...asked, identity, sessionId, begunAt, returnTo })
}

function sendPasswordForm(
  reply: FastifyReply,
  { provider, purpose, session, returnTo }: Asked,
  { username, refusal }: { username: string; refusal?: SignInRefusal } = { username: '' },
): FastifyReply {
  const body = markup`<p>${EXPLANATIONS[purpose]}</p>
<form method="post" action="/users/auth/${provider.name}">
${hidden(CSRF_PARAMETER, session.csrfToken)}
${hidden('purpose', purpose)}
${returnTo === undefined ? '' : hidden('return_to', returnTo)}
${passwordFields(`Username at ${provider.label}`, username)}
<div class="buttons"><button class="main">Continue</button></div>
</form>`
  return sendForm(reply, { title: `${TITLES[purpose]} ${provider.label}`, body, refusal })
}

const TITLES: Readonly<Record<Asked['purpose'], string>> = {
  link: 'Link your account to',
  confirm: 'Confirm this session with',
  try: 'Try',
}

const EXPLANATIONS: Readonly<Record<Asked['purpose'], string>> = {
  link: 'From then on, you sign in to this account with this username and its password.',
  confirm: 'The session may then be used for dangerous changes for 30 minutes.',
  try: 'Shows what the provider says of a user. Nobody is signed in.',
}
