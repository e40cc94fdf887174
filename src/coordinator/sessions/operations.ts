import { Type } from 'typebox'

import type { Caller, CallerSession, User } from '../access/caller.js'
import { signatureOptions } from '../accounts/two-factor/passkeys.js'
import { CredentialOptions } from '../accounts/two-factor/schema.js'
import { existingUser } from '../accounts/users/users.js'
import type { Database } from '../database/connect.js'
import { deleteSession, deleteSessionsOfUser, listSessions } from '../database/stores/web-session-store.js'
import { apiError, notFound } from '../http/errors.js'
import { NoBody, type Operation, operation, respond } from '../http/operation.js'
import { isoTime } from '../http/presenters/present-time.js'
import { changeOwnPassword } from './change-own-password.js'
import { confirmSession } from './confirm-session.js'
import { presentSession } from './present.js'
import {
  Confirm,
  Confirmed,
  NewPassword,
  SessionNumber,
  SessionRecord,
  SignInLinkRecord,
  UserNumber,
} from './schema.js'
import type { SessionDeps } from './session-deps.js'
import { createSignInLink, type NewSignInLink } from './sign-in-links.js'

const SessionOfUser = Type.Object({ ...UserNumber.properties, ...SessionNumber.properties })

/** Maximum number of new links of a user in a minute. */
const LINKS_PER_MINUTE = 30

/** Browser sessions and sign-in links (API, N2). */
export function sessionOperations(
  deps: Pick<SessionDeps, 'database' | 'authenticator' | 'externalUrl' | 'guardOf' | 'secrets'>,
): Operation[] {
  const { database } = deps
  return [
    operation('GET /user/sessions', {
      summary: 'List browser sessions of the current user',
      access: 'user',
      responses: { 200: Type.Array(SessionRecord) },
      run: async ({ user, caller }) => sessionsOf(database, user, sessionOf(caller)),
    }),
    operation('DELETE /user/sessions', {
      summary: 'End all browser sessions of the current user, except that of the request',
      access: 'user',
      responses: { 204: NoBody },
      run: async ({ user, caller }) => {
        await deleteSessionsOfUser(database, user.id, { except: sessionOf(caller)?.id })
        return respond(204)
      },
    }),
    operation('DELETE /user/sessions/:session_id', {
      summary: 'End a browser session of the current user',
      access: 'user',
      params: SessionNumber,
      responses: { 204: NoBody },
      run: async ({ user, params }) => endSession(database, user.id, params.session_id),
    }),
    operation('POST /user/sessions/confirm', {
      summary: 'Confirm the browser session of the request with the password, a token or a passkey',
      access: 'user',
      params: Confirm,
      exactlyOne: [['password', 'token', 'passkey']],
      responses: { 200: Confirmed },
      run: async ({ user, caller, params, request }) =>
        confirmSession(deps, { user, session: needSession(caller), address: request.ip }, params),
    }),
    operation('POST /user/sessions/passkey_options', {
      summary: 'Create the options for a passkey that confirms the browser session of the request',
      access: 'user',
      changesNothing: true,
      limit: { perMinute: LINKS_PER_MINUTE },
      responses: { 200: CredentialOptions },
      run: async ({ user, caller }) =>
        signatureOptions(deps, user, `confirm session ${needSession(caller).id}`),
    }),
    operation('PUT /user/password', {
      summary: 'Set the password of the current user, in a browser session',
      access: 'user',
      params: NewPassword,
      needsConfirmation: true,
      responses: { 204: NoBody },
      run: async ({ user, caller, params }) => {
        await changeOwnPassword(database, user, { password: params.password, session: needSession(caller) })
        return respond(204)
      },
    }),
    operation('POST /user/sign_in_links', {
      summary: 'Create a link that signs the current user in once, within five minutes',
      access: 'user',
      needsConfirmation: true,
      limit: { perMinute: LINKS_PER_MINUTE },
      audit: createdLink,
      responses: { 201: SignInLinkRecord },
      run: async ({ user, caller }) => {
        const personalTokenId = tokenOf(caller)
        return respond(201, await linkFor(deps, { user, isByAdministrator: false, personalTokenId }))
      },
    }),
    operation('POST /users/:id/sign_in_links', {
      summary: 'Create a link that signs a user in once, within 24 hours',
      access: 'administrator',
      params: UserNumber,
      needsConfirmation: true,
      limit: { perMinute: LINKS_PER_MINUTE },
      audit: createdLink,
      responses: { 201: SignInLinkRecord },
      run: async ({ params }) => {
        const user = await existingUser(database, params.id)
        return respond(201, await linkFor(deps, { user, isByAdministrator: true, personalTokenId: null }))
      },
    }),
    operation('GET /users/:id/sessions', {
      summary: 'List browser sessions of a user',
      access: 'administrator',
      params: UserNumber,
      responses: { 200: Type.Array(SessionRecord) },
      run: async ({ params, caller }) =>
        sessionsOf(database, await existingUser(database, params.id), sessionOf(caller)),
    }),
    operation('DELETE /users/:id/sessions', {
      summary: 'End all browser sessions of a user',
      access: 'administrator',
      params: UserNumber,
      responses: { 204: NoBody },
      run: async ({ params }) => {
        await existingUser(database, params.id)
        await deleteSessionsOfUser(database, params.id)
        return respond(204)
      },
    }),
    operation('DELETE /users/:id/sessions/:session_id', {
      summary: 'End a browser session of a user',
      access: 'administrator',
      params: SessionOfUser,
      responses: { 204: NoBody },
      run: async ({ params }) => {
        await existingUser(database, params.id)
        return endSession(database, params.id, params.session_id)
      },
    }),
  ]
}

async function sessionsOf(
  database: Database,
  { id }: User,
  current: CallerSession | undefined,
): Promise<SessionRecord[]> {
  return (await listSessions(database, id)).map((session) => presentSession(session, current))
}

async function endSession(database: Database, userId: number, id: number) {
  if (!(await deleteSession(database, userId, id))) throw notFound('Session')
  return respond(204)
}

async function linkFor(
  deps: Pick<SessionDeps, 'database' | 'externalUrl'>,
  link: NewSignInLink & { user: User },
): Promise<SignInLinkRecord> {
  if (link.user.state !== 'active' || link.user.kind !== 'human') {
    throw apiError('user_cannot_sign_in')
  }
  const { url, expiresAt } = await createSignInLink(deps, link)
  return { url, expires_at: isoTime(expiresAt) }
}

function createdLink() {
  return { add: 'sign_in_link', custom_message: 'Created a sign-in link' }
}

function sessionOf(caller: Caller): CallerSession | undefined {
  return caller.kind === 'user' ? caller.session : undefined
}

/** Throws 403 for a caller with a token. */
function needSession(caller: Caller): CallerSession {
  const session = sessionOf(caller)
  if (!session) throw apiError('session_required')
  return session
}

/**
 * The token with which the link of a caller ends; null for a session of a password. Throws 403 for other credentials:
 * what an application may do must end when the user revokes it.
 */
function tokenOf(caller: Caller): number | null {
  const { tokenId, session } = caller.kind === 'user' ? caller : {}
  if (tokenId !== undefined) return tokenId
  if (session) return session.personalTokenId
  throw apiError('personal_credential_required')
}
