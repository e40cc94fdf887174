import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { tokenDigest } from '../../lib/tokens.js'
import type { User } from '../access/caller.js'
import { readSignature, relyingPartyOf, signatureOptions } from '../accounts/two-factor/passkeys.js'
import { findTotpFactor, listPasskeys } from '../accounts/two-factor/store.js'
import { verifyCode } from '../accounts/two-factor/verify-code.js'
import { usePendingSignIn } from '../database/stores/web-session-store.js'
import type { SessionFactor } from '../database/tables/sessions.js'
import { inTransaction } from '../database/transaction.js'
import { refuseOtherOrigins } from '../http/authentication/csrf.js'
import { createSessionReader } from '../http/authentication/read-session.js'
import { formCookieOf, pendingCookieOf } from '../http/authentication/session-cookie.js'
import { BODY_SECONDS, limitBodyTime } from '../http/body-limits/body-time.js'
import { ApiError } from '../http/errors.js'
import { parseParameterBodies } from '../http/parameters/body-parsers.js'
import { formField } from './form-field.js'
import { FormTokens } from './form-tokens.js'
import { type SignInRefusal, tooManyAttempts } from './identify.js'
import { readReturnTo } from './return-to.js'
import { sendPasskeyPage, sendSecondFactorPage } from './second-factor-page.js'
import { findPending, type PendingSignIn, SECOND_STEP } from './second-step.js'
import type { SessionDeps } from './session-deps.js'
import { EXPIRED_FORM, refusingForgery } from './sign-in-routes.js'
import { completeSignIn, sendSignedIn, startSession } from './start-session.js'

/** Maximum size of a request body, in bytes, and length of a signature in it, in characters. */
const BODY_LIMIT = 16 * 1024
const MAX_CREDENTIAL_LENGTH = 8000

const PASSKEY_PATH = '/users/passkey'

const WRONG_CODE = {
  status: 401,
  message: 'Wrong code. Enter the one that your app shows now, each only once.',
}
const WRONG_PASSKEY = { status: 401, message: 'The passkey was not accepted. Try again.' }

/**
 * The second step of a sign-in, and the sign-in with a passkey, which is both steps. Codes work without scripts. A sign-in
 * waits in one browser, for five minutes, and is completed once.
 */
export function secondFactorRoutes(deps: SessionDeps): (app: FastifyInstance) => void {
  const { database, externalUrl, guardOf, secrets } = deps
  const readSession = createSessionReader(deps)
  const formTokens = new FormTokens(secrets, externalUrl)
  const pendingCookie = pendingCookieOf(externalUrl)

  return (app) => {
    parseParameterBodies(app, deps.spool)
    limitBodyTime(app, BODY_SECONDS)
    app.get(SECOND_STEP, (request, reply) =>
      withPending(request, reply, (pending) => show(request, reply, pending)),
    )
    app.post(SECOND_STEP, { bodyLimit: BODY_LIMIT }, (request, reply) =>
      refusingForgery(reply, () => {
        refuseOtherOrigins(request.headers, externalUrl)
        return withPending(request, reply, (pending) => receive(request, reply, pending))
      }),
    )
    if (relyingPartyOf(externalUrl) === undefined) return
    app.get(PASSKEY_PATH, async (request, reply) => {
      const returnTo = readReturnTo(formField(request.query, 'return_to'))
      if (await readSession(request)) return reply.redirect(returnTo ?? '/', 303)
      return showPasskeyPage(request, reply, returnTo)
    })
    app.post(PASSKEY_PATH, { bodyLimit: BODY_LIMIT }, (request, reply) =>
      refusingForgery(reply, () => {
        refuseOtherOrigins(request.headers, externalUrl)
        return signInWithPasskey(request, reply)
      }),
    )
  }

  async function withPending(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (pending: PendingSignIn) => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    const pending = await findPending(deps, request)
    return pending
      ? work(pending)
      : reply.header('set-cookie', pendingCookie.clear()).redirect('/users/sign_in', 303)
  }

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    { id, signIn: { user } }: PendingSignIn,
    refusal?: SignInRefusal,
  ): Promise<FastifyReply> {
    const offersPasskeys = relyingPartyOf(externalUrl) !== undefined
    const hasPasskey = offersPasskeys && (await listPasskeys(database, user.id)).length > 0
    const factor = await findTotpFactor(database, user.id)
    return sendSecondFactorPage(reply, {
      user,
      formToken: formTokens.create(request, reply),
      hasApp: factor !== undefined && factor.confirmed_at !== null,
      options: hasPasskey ? await signatureOptions(deps, user, `second step ${id}`) : undefined,
      refusal,
    })
  }

  async function receive(
    request: FastifyRequest,
    reply: FastifyReply,
    pending: PendingSignIn,
  ): Promise<FastifyReply> {
    const again = (refusal: SignInRefusal) => show(request, reply, pending, refusal)
    if (!formTokens.isValid(request)) return again({ status: 403, message: EXPIRED_FORM })
    const { factor, refusal } = await limited(request, () => factorOf(request, pending))
    if (refusal) return again(refusal)
    const { id, signIn, returnTo } = pending
    const opened = await inTransaction(database, async (tx) =>
      (await usePendingSignIn(tx, id)) ? startSession(tx, deps, request, { ...signIn, factor }) : undefined,
    )
    reply.header('set-cookie', pendingCookie.clear())
    if (!opened) return reply.redirect('/users/sign_in', 303)
    guardOf(request.ip).accepted(signIn.user)
    return sendSignedIn(reply, externalUrl, opened, returnTo)
  }

  async function factorOf(request: FastifyRequest, { id, signIn: { user } }: PendingSignIn): Promise<Proof> {
    const credential = credentialOf(request.body)
    if (credential !== '') {
      const passkey = await readSignature(deps, credential, { purpose: `second step ${id}` })
      return passkey.user_id === user.id ? { factor: 'passkey' } : { refusal: WRONG_PASSKEY }
    }
    const result = await verifyCode(deps, user, formField(request.body, 'code'))
    if (result === 'wrong') return { refusal: WRONG_CODE }
    return typeof result === 'string' ? { factor: result } : { refusal: tooManyCodes(result.retryAt) }
  }

  /** Limits the wrong codes and passkeys from one address. */
  async function limited(request: FastifyRequest, prove: () => Promise<Proof>): Promise<Proof> {
    const guard = guardOf(request.ip)
    try {
      guard.check()
      const proof = await refusingPasskeys(prove)
      if (proof.refusal?.status === 401) await guard.failed()
      return proof
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429) throw error
      return { refusal: tooManyAttempts(error) }
    }
  }

  async function showPasskeyPage(
    request: FastifyRequest,
    reply: FastifyReply,
    returnTo: string | undefined,
    refusal?: SignInRefusal,
  ): Promise<FastifyReply> {
    const browser = formCookieOf(externalUrl).read(request.headers)
    const formToken = formTokens.create(request, reply)
    // The challenge is for this browser, which has got its cookie just now if it had none.
    if (browser === undefined) {
      const query = new URLSearchParams(returnTo === undefined ? {} : { return_to: returnTo })
      return reply.redirect(`${PASSKEY_PATH}?${query.toString()}`, 303)
    }
    const options = await signatureOptions(deps, undefined, `sign in ${tokenDigest(browser)}`)
    return sendPasskeyPage(reply, { host: new URL(externalUrl).host, formToken, returnTo, options, refusal })
  }

  async function signInWithPasskey(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const returnTo = readReturnTo(formField(request.body, 'return_to'))
    const browser = formCookieOf(externalUrl).read(request.headers)
    const again = (refusal: SignInRefusal) => showPasskeyPage(request, reply, returnTo, refusal)
    if (!formTokens.isValid(request) || browser === undefined)
      return again({ status: 403, message: EXPIRED_FORM })
    let user: User | undefined
    const { factor, refusal } = await limited(request, async () => {
      const purpose = `sign in ${tokenDigest(browser)}` as const
      const passkey = await readSignature(deps, credentialOf(request.body), { purpose, isAlone: true })
      user = await userOf(passkey.user_id)
      return user ? { factor: 'passkey' } : { refusal: WRONG_PASSKEY }
    })
    if (!user || refusal) return again(refusal ?? WRONG_PASSKEY)
    guardOf(request.ip).accepted(user)
    const staysSignedIn = formField(request.body, 'remember_me') === '1'
    const signIn = { user, method: 'passkey', factor, personalTokenId: null, staysSignedIn } as const
    return completeSignIn(deps, request, reply, { ...signIn, isConfirmed: true }, returnTo)
  }

  /** Undefined for an account that is blocked. */
  async function userOf(id: number): Promise<User | undefined> {
    const user = await database.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst()
    return user?.state === 'active' ? user : undefined
  }
}

type Proof = { factor: SessionFactor; refusal?: undefined } | { factor?: undefined; refusal: SignInRefusal }

async function refusingPasskeys(prove: () => Promise<Proof>): Promise<Proof> {
  try {
    return await prove()
  } catch (error) {
    if (error instanceof ApiError && error.code === 'passkey_refused') return { refusal: WRONG_PASSKEY }
    throw error
  }
}

/** `retryAt` in milliseconds since 1970. */
function tooManyCodes(retryAt: number): SignInRefusal {
  const retryAfter = Math.max(1, Math.ceil((retryAt - Date.now()) / 1000))
  const minutes = Math.ceil(retryAfter / 60)
  const message = `Too many wrong codes for this account. Try again in ${minutes} min, or use a recovery code or a passkey.`
  return { status: 429, message, retryAfter }
}

function credentialOf(body: unknown): string {
  return formField(body, 'credential', MAX_CREDENTIAL_LENGTH)
}
