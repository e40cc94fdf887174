import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { tokenDigest } from '../../../../lib/tokens.js'
import type { User } from '../../../access/caller.js'
import { inTransaction } from '../../../database/transaction.js'
import { addressBefore, type RequestSession } from '../../../http/authentication/read-session.js'
import { BODY_SECONDS, limitBodyTime } from '../../../http/body-limits/body-time.js'
import { parseParameterBodies } from '../../../http/parameters/body-parsers.js'
import { findEarlierGrant, insertGrant } from '../../oauth-grant-store.js'
import { grantEventOf } from '../audit-grant.js'
import { Given } from '../given.js'
import { newSecret } from '../issue-token.js'
import { CODE_LIFE } from '../lifetimes.js'
import type { OauthDeps } from '../oauth-deps.js'
import { OauthError } from '../oauth-errors.js'
import { limitAsBefore, type ProjectLimit, readProjectLimit, storedLimit } from '../project-limit.js'
import { FORGED, isForgery, sessionOfForm, signInTimeOf } from '../session.js'
import { signInAgain } from '../sign-in.js'
import {
  type Asker,
  type AuthorizationRequest,
  type Prompting,
  readAsker,
  readRequest,
} from './authorization-request.js'
import { sendConsentPage, sendRefusalPage } from './consent-page.js'
import { sendErrorPage, sendResult } from './send-result.js'

/** Maximum size of a request body, in bytes; all form fields are short. */
const BODY_LIMIT = 64 * 1024

/**
 * The page on which users authorize an application (API, A14; RFC 6749, 4.1). Errors are reported to the registered
 * redirect URI of an application that administrators have registered or the user has authorized; of others they are shown.
 * Without a registered URI the user is not redirected. Without a session the
 * form requires username and password, and in a session its CSRF token, so that no other page can submit it for the user.
 */
export function authorizeRoutes(deps: OauthDeps): (app: FastifyInstance) => void {
  return (app) => {
    parseParameterBodies(app, deps.spool)
    limitBodyTime(app, BODY_SECONDS)
    app.get('/oauth/authorize', (request, reply) =>
      respond(deps, request, reply, new Given(request.query), (pending) =>
        ask(deps, request, reply, pending),
      ),
    )
    app.post('/oauth/authorize', { bodyLimit: BODY_LIMIT }, (request, reply) =>
      respond(deps, request, reply, new Given(request.body), (pending) =>
        decide(deps, request, reply, pending),
      ),
    )
  }
}

interface PendingAuthorization {
  given: Given
  asker: Asker
  asked: AuthorizationRequest
}

async function respond(
  deps: OauthDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  given: Given,
  work: (pending: PendingAuthorization) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  let asker: Asker
  try {
    asker = await readAsker(deps.database, given)
  } catch (error) {
    if (!(error instanceof OauthError)) throw error
    return sendRefusalPage(reply, 400, error.description)
  }
  try {
    return await work({ given, asker, asked: readRequest(asker, given) })
  } catch (error) {
    if (isForgery(error)) return sendRefusalPage(reply, 403, FORGED)
    if (!(error instanceof OauthError)) throw error
    if (!(await isTrusted(deps, request, asker))) return sendErrorPage(reply, asker, given, error)
    return sendResult(reply, asker, given, { error: error.error, error_description: error.description })
  }
}

/** Whether the browser is sent to the client without a click: an administrator or the user has decided about it before. */
async function isTrusted(
  { database, readSession }: OauthDeps,
  request: FastifyRequest,
  { client }: Asker,
): Promise<boolean> {
  if (client.owner_id === null && !client.dynamic) return true
  const session = await readSession(request)
  if (!session) return false
  const any = { userId: session.user.id, applicationId: client.id, scopes: [] }
  return (await findEarlierGrant(database, any)) !== undefined
}

async function ask(
  deps: OauthDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  pending: PendingAuthorization,
): Promise<FastifyReply> {
  const { given, asker, asked } = pending
  const session = await deps.readSession(request)
  const before = session && addressBefore(request.url, session)
  if (before !== undefined) {
    if (asked.prompting.none) throw new OauthError('interaction_required')
    return reply.redirect(before, 303)
  }
  const isFresh = session !== undefined && isFreshEnough(session, asked.prompting)
  if (!asked.prompting.none) {
    const knownAs = session?.user.username
    return sendConsentPage(reply, { ...pending, session: isFresh ? session : undefined, knownAs })
  }
  if (!isFresh) throw new OauthError('login_required')
  const { user } = session
  const granted = { userId: user.id, applicationId: asker.client.id, scopes: asked.scopes }
  const earlier = await findEarlierGrant(deps.database, granted)
  if (!earlier) throw new OauthError('consent_required')
  const limit = await limitAsBefore(deps.database, earlier, asked.scopes)
  const code = await issueCode(deps, request, pending, { user, authTime: signInTimeOf(session), limit })
  return sendResult(reply, asker, given, { code })
}

function isFreshEnough(session: RequestSession, { login, maxAge }: Prompting): boolean {
  return !login && Date.now() - signInTimeOf(session) <= maxAge * 1000
}

async function decide(
  deps: OauthDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  pending: PendingAuthorization,
): Promise<FastifyReply> {
  const { given, asker, asked } = pending
  if (given.text('decision') === 'deny') {
    const { error, description } = new OauthError('access_denied')
    return sendResult(reply, asker, given, { error, error_description: description })
  }
  const session = await sessionOfForm(deps, request, given)
  if (session && isFreshEnough(session, asked.prompting)) {
    return allow(deps, request, reply, pending, { session, user: session.user })
  }
  const { user, refusal } = await signInAgain(deps, request, given)
  if (refusal) return sendConsentPage(reply, { ...pending, session: undefined, refusal })
  return allow(deps, request, reply, pending, { session: undefined, user })
}

/** The user allows the request, for the projects that the form names. Without a session, the user has just signed in. */
async function allow(
  deps: OauthDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  pending: PendingAuthorization,
  { session, user }: { session: RequestSession | undefined; user: User },
): Promise<FastifyReply> {
  const { given, asker, asked } = pending
  const typed = given.text('projects')
  const { limit, refusal: message } = await readProjectLimit(deps.database, user, { ...asked, typed })
  if (!limit) {
    const refusal = { status: 400, message, username: user.username }
    return sendConsentPage(reply, { ...pending, session, refusal })
  }
  const authTime = session ? signInTimeOf(session) : null
  const code = await issueCode(deps, request, pending, { user, authTime, limit })
  return sendResult(reply, asker, given, { code })
}

/** Issues a code; only its digest is stored. `authTime` is null for a user who has just signed in. */
async function issueCode(
  { database, storeAuditEvent }: OauthDeps,
  request: FastifyRequest,
  { asker: { client, namedUri }, asked: { challenge, nonce } }: PendingAuthorization,
  { user, authTime, limit }: { user: User; authTime: number | null; limit: ProjectLimit },
): Promise<string> {
  const code = newSecret()
  const now = Date.now()
  await inTransaction(database, async (tx) => {
    await insertGrant(tx, {
      application_id: client.id,
      user_id: user.id,
      scopes: JSON.stringify(limit.scopes),
      project_ids: storedLimit(limit),
      code_digest: tokenDigest(code),
      code_expires_at: now + CODE_LIFE,
      redirect_uri: namedUri,
      code_challenge: challenge,
      nonce,
      auth_time: authTime,
      created_at: now,
    })
    const from = { address: request.ip, requestId: request.id }
    await storeAuditEvent(tx, grantEventOf({ user, client, ...limit }, from))
  })
  return code
}
