import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { tokenDigest } from '../../lib/tokens.js'
import { isRegistered, policySourceOf, withQuery } from '../accounts/oauth/authorize/redirect-target.js'
import { type Client, findClient } from '../accounts/oauth/client.js'
import { Given } from '../accounts/oauth/given.js'
import { OauthError } from '../accounts/oauth/oauth-errors.js'
import { userOfIdToken } from '../accounts/oauth/openid/read-id-token.js'
import { hiddenField } from '../accounts/oauth/pages/sign-in-fields.js'
import type { TokenSigner } from '../crypto/token-signer.js'
import { deleteSessionByDigest } from '../database/stores/web-session-store.js'
import { CSRF_PARAMETER, refuseForgery } from '../http/authentication/csrf.js'
import { createSessionReader, type RequestSession } from '../http/authentication/read-session.js'
import { sessionCookieOf } from '../http/authentication/session-cookie.js'
import { BODY_SECONDS, limitBodyTime } from '../http/body-limits/body-time.js'
import { markup, sendPage } from '../http/html-page.js'
import { parseParameterBodies } from '../http/parameters/body-parsers.js'
import type { SessionDeps } from './session-deps.js'
import { refusingForgery } from './sign-in-routes.js'

/** Maximum size of a request body, in bytes: an ID token is the longest field. */
const BODY_LIMIT = 64 * 1024

const PATH = '/oauth/end_session'
/** Parameters of the request that the form submits again. */
const KEPT = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state']

interface SignOutRequest {
  given: Given
  client: Client | undefined
  /** ID of the user whose ID token the client has sent. */
  userId: number | undefined
  /** The address to which the client wants to send the browser; one of its redirect URIs. */
  target: string | undefined
}

/**
 * Signs a user out at the wish of an application (OpenID Connect RP-Initiated Logout 1.0). An ID token of the user is
 * enough; without one, the user is asked. The browser is sent to the application without a click only if an administrator
 * has registered it, or the user has just been signed out with its ID token.
 */
export function endSessionRoutes(
  deps: Omit<SessionDeps, 'logger' | 'providers'> & { signer: TokenSigner },
): (app: FastifyInstance) => void {
  const { database, externalUrl, signer } = deps
  const readSession = createSessionReader(deps)
  const sessionCookie = sessionCookieOf(externalUrl)

  return (app) => {
    parseParameterBodies(app, deps.spool)
    limitBodyTime(app, BODY_SECONDS)
    app.get(PATH, (request, reply) => respond(reply, () => ask(request, reply)))
    app.post(PATH, { bodyLimit: BODY_LIMIT }, (request, reply) =>
      respond(reply, () => decide(request, reply)),
    )
  }

  async function ask(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const wish = await readRequest(new Given(request.query))
    const session = await readSession(request)
    if (!session) return sendSignedOut(reply, wish, { isAsked: false })
    if (session.user.id !== wish.userId) return sendConfirmation(reply, wish, session)
    await signOut(request, reply)
    return sendSignedOut(reply, wish, { isAsked: true })
  }

  async function decide(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const given = new Given(request.body)
    const token = given.text(CSRF_PARAMETER)
    const cookie = sessionCookie.read(request.headers)
    // Browsers send the cookie with a form of an application only after a redirect.
    if (token === undefined || cookie === undefined) return reply.redirect(pathOf(given), 303)
    const wish = await readRequest(given)
    refuseForgery(request.headers, { [CSRF_PARAMETER]: token }, { cookie, externalUrl })
    await signOut(request, reply)
    return sendSignedOut(reply, wish, { isAsked: true })
  }

  async function signOut(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const cookie = sessionCookie.read(request.headers)
    if (cookie !== undefined) await deleteSessionByDigest(database, tokenDigest(cookie))
    reply.header('set-cookie', sessionCookie.clear())
  }

  /** Throws `invalid_request` for an address that is not one of the application. */
  async function readRequest(given: Given): Promise<SignOutRequest> {
    const hint = given.text('id_token_hint')
    const hinted = hint === undefined ? undefined : await userOfIdToken(signer, hint)
    const clientId = given.text('client_id')
    if (hinted && clientId !== undefined && hinted.clientId !== clientId) {
      throw new OauthError('invalid_request', 'The ID token was not issued to this client.')
    }
    const uid = clientId ?? hinted?.clientId
    const client = uid === undefined ? undefined : await findClient(database, uid)
    const target = given.text('post_logout_redirect_uri')
    if (target !== undefined && !(client && isRegistered(client.redirect_uris, target))) {
      throw new OauthError(
        'invalid_request',
        'The post_logout_redirect_uri is not a redirect URI of the client.',
      )
    }
    return { given, client, userId: hinted?.userId, target }
  }
}

function sendConfirmation(
  reply: FastifyReply,
  { given, client, target }: SignOutRequest,
  { user, csrfToken }: RequestSession,
): FastifyReply {
  const body = markup`
<p>You are signed in as <b>${user.name}</b> (${user.username}).</p>
<form method="post" action="end_session">
${hiddenField(CSRF_PARAMETER, csrfToken)}
${KEPT.map((name) => hiddenField(name, given.text(name)))}
<div class="buttons"><button class="main">Sign out</button></div>
</form>
<small>${client ? `The application ${client.name} asks for this.` : ''} <a href="../">Stay signed in</a></small>`
  const formActions = ["'self'", ...(target === undefined ? [] : [policySourceOf(target)])]
  return sendPage(reply, 200, { title: 'Sign out?', body, formActions })
}

/** `isAsked`: whether the user has been signed out by this request. */
function sendSignedOut(
  reply: FastifyReply,
  { given, client, target }: SignOutRequest,
  { isAsked }: { isAsked: boolean },
): FastifyReply {
  if (target === undefined) return reply.redirect('/users/sign_in?signed_out=1', 303)
  const state = given.text('state')
  const location = withQuery(target, state === undefined ? {} : { state })
  const isTrusted = client !== undefined && client.owner_id === null && !client.dynamic
  if (isAsked || isTrusted) return reply.redirect(location, 303)
  const host = new URL(target).host || target
  const body = markup`<div class="buttons"><a class="main" href="${location}" rel="noreferrer">Go to ${host}</a></div>`
  return sendPage(reply, 200, { title: 'You are signed out', body })
}

function pathOf(given: Given): string {
  const query = new URLSearchParams()
  for (const name of KEPT) {
    const value = given.text(name)
    if (value !== undefined) query.append(name, value)
  }
  return `${PATH}?${query.toString()}`
}

async function respond(reply: FastifyReply, work: () => Promise<FastifyReply>): Promise<FastifyReply> {
  try {
    return await refusingForgery(reply, work)
  } catch (error) {
    if (!(error instanceof OauthError)) throw error
    return sendPage(reply, 400, { title: 'Sign-out failed', alert: error.description, body: markup`` })
  }
}
