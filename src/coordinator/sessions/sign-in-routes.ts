import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { tokenDigest } from '../../lib/tokens.js'
import { relyingPartyOf } from '../accounts/two-factor/passkeys.js'
import { signUpRules } from '../accounts/users/sign-up.js'
import { deleteSessionByDigest } from '../database/stores/web-session-store.js'
import { refuseForgery, refuseOtherOrigins } from '../http/authentication/csrf.js'
import { createSessionReader } from '../http/authentication/read-session.js'
import { sessionCookieOf } from '../http/authentication/session-cookie.js'
import { BODY_SECONDS, limitBodyTime } from '../http/body-limits/body-time.js'
import { ApiError } from '../http/errors.js'
import { parseParameterBodies } from '../http/parameters/body-parsers.js'
import { mailContext } from '../integrations/mail/mail-context.js'
import { readBrand } from './brand.js'
import { formField } from './form-field.js'
import { FormTokens } from './form-tokens.js'
import { identifyByPassword, identifyByToken, type SignInRefusal, takesPasswords } from './identify.js'
import { beginAttempt } from './providers/begin-attempt.js'
import { describeRefusal } from './providers/decide-account.js'
import { identifyByPasswordAt } from './providers/identify-by-password.js'
import { isOffered, offeredProviders } from './providers/offered-providers.js'
import { type IdentityProvider, ProviderError, takesPassword } from './providers/provider.js'
import { signInIdentity } from './providers/sign-in-identity.js'
import { readReturnTo } from './return-to.js'
import type { SessionDeps } from './session-deps.js'
import {
  isProviderTab,
  providerTab,
  type ProviderTab,
  sendRefusedForm,
  sendSignInPage,
  type SignInForm,
  type TabLink,
  tabsOf,
} from './sign-in-page.js'
import { completeSignIn } from './start-session.js'

/** Maximum size of a request body, in bytes; all form fields are short. */
const BODY_LIMIT = 6 * 1024

/** The pages on which users sign in and out. They work without scripts. */
export function signInRoutes(deps: SessionDeps): (app: FastifyInstance) => void {
  const { externalUrl } = deps
  const readSession = createSessionReader(deps)
  const formTokens = new FormTokens(deps.secrets, externalUrl)
  const sessionCookie = sessionCookieOf(externalUrl)

  return (app) => {
    parseParameterBodies(app, deps.spool)
    limitBodyTime(app, BODY_SECONDS)
    app.get('/users/sign_in', async (request, reply) => {
      const returnTo = readReturnTo(formField(request.query, 'return_to'))
      if (await readSession(request)) return reply.redirect(returnTo ?? '/', 303)
      const hasSignedOut = formField(request.query, 'signed_out') !== ''
      const { automatic } = deps.providers
      const isWanted = !hasSignedOut && formField(request.query, 'auto') !== '0'
      const isAutomatic = automatic && isWanted && (await isOffered(deps.database, automatic))
      if (isAutomatic && !takesPassword(automatic)) {
        return redirectToProvider(request, reply, automatic, returnTo)
      }
      return show(request, reply, { tab: formField(request.query, 'tab'), returnTo, hasSignedOut })
    })
    app.post('/users/sign_in', { bodyLimit: BODY_LIMIT }, (request, reply) =>
      refusingForgery(reply, async () => {
        refuseOtherOrigins(request.headers, externalUrl)
        return signIn(request, reply)
      }),
    )
    app.post('/users/sign_out', { bodyLimit: BODY_LIMIT }, (request, reply) =>
      refusingForgery(reply, () => signOut(request, reply)),
    )
  }

  /** Shows the page if the provider is not reachable. */
  async function redirectToProvider(
    request: FastifyRequest,
    reply: FastifyReply,
    provider: IdentityProvider,
    returnTo: string | undefined,
  ): Promise<FastifyReply> {
    try {
      const wanted = { purpose: 'sign-in' as const, sessionId: null, returnTo, staysSignedIn: false }
      const url = await beginAttempt(deps, reply, provider, wanted)
      return await reply.header('cache-control', 'no-store').redirect(url.href, 303)
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      deps.logger.warn({ err: error, provider: provider.name }, 'A sign-in by a provider failed')
      const refusal = { status: 503, message: error.message }
      return show(request, reply, { tab: formField(request.query, 'tab'), returnTo, refusal })
    }
  }

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    { tab, ...shown }: Shown,
  ): Promise<FastifyReply> {
    const withPassword = await offeredProviders(deps.database, deps.providers.withPassword)
    const tabs = tabsOf(await takesPasswords(deps), withPassword)
    return sendSignInPage(reply, {
      host: new URL(externalUrl).host,
      brand: await readBrand(deps.database),
      tabs,
      tab: (tabs.find((each) => each.tab === tab) ?? firstTab(tabs, request.query)).tab,
      providers: await offeredProviders(deps.database, deps.providers.redirecting),
      sendsMails: mailContext(deps.database) !== undefined,
      takesSignUps: (await signUpRules(deps.database)) !== undefined,
      takesPasskeys: relyingPartyOf(externalUrl) !== undefined,
      formToken: formTokens.create(request, reply),
      username: '',
      staysSignedIn: false,
      hasSignedOut: false,
      ...shown,
    })
  }

  /** `auto_sign_in` puts the tab of the only provider first. */
  function firstTab(tabs: readonly [TabLink, ...TabLink[]], query: unknown): TabLink {
    const { automatic } = deps.providers
    const isFirst = automatic && takesPassword(automatic) && formField(query, 'auto') !== '0'
    return (isFirst && tabs.find(({ tab }) => tab === providerTab(automatic))) || tabs[0]
  }

  async function signIn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { body } = request
    const tab = formField(body, 'tab')
    const returnTo = readReturnTo(formField(body, 'return_to'))
    const staysSignedIn = formField(body, 'remember_me') === '1'
    const again = (refusal: SignInRefusal) =>
      show(request, reply, { tab, returnTo, staysSignedIn, username: formField(body, 'username'), refusal })
    if (!formTokens.isValid(request)) return again({ status: 403, message: EXPIRED_FORM })
    if (isProviderTab(tab)) {
      return signInAtProvider(request, reply, { tab, returnTo, staysSignedIn, again })
    }
    const identify = tab === 'token' ? identifyByToken : identifyByPassword
    const found = await identify(deps, request)
    if (found.refusal) return again(found.refusal)
    const { user, personalTokenId } = found
    const method = tab === 'token' ? 'token' : 'standard'
    const signedIn = { user, method, personalTokenId, staysSignedIn, isConfirmed: true } as const
    return completeSignIn(deps, request, reply, signedIn, returnTo)
  }

  /** The password is tried at this provider alone: neither as that of an account, nor elsewhere. */
  async function signInAtProvider(
    request: FastifyRequest,
    reply: FastifyReply,
    { tab, returnTo, staysSignedIn, again }: ProviderSignIn,
  ): Promise<FastifyReply> {
    const provider = deps.providers.withPassword.find((each) => providerTab(each) === tab)
    if (!provider) return again({ status: 404, message: UNKNOWN_PROVIDER })
    const { identity, refusal } = await identifyByPasswordAt(deps, request, provider)
    if (refusal) return again(refusal)
    return signInIdentity(deps, request, reply, { provider, identity, returnTo, staysSignedIn }, (reason) =>
      again({ status: 403, message: describeRefusal(reason, provider.label) }),
    )
  }

  async function signOut(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    // Browsers send no cookie with a form of another site, but would delete it as the response says.
    refuseOtherOrigins(request.headers, externalUrl)
    const cookie = sessionCookie.read(request.headers)
    if (cookie !== undefined && (await readSession(request))) {
      const given = { authenticity_token: formField(request.body, 'authenticity_token') }
      refuseForgery(request.headers, given, { cookie, externalUrl })
      await deleteSessionByDigest(deps.database, tokenDigest(cookie))
    }
    const returnTo = readReturnTo(formField(request.body, 'return_to'))
    const query = new URLSearchParams({
      signed_out: '1',
      ...(returnTo !== undefined && { return_to: returnTo }),
    })
    return reply
      .header('set-cookie', sessionCookie.clear())
      .redirect(`/users/sign_in?${query.toString()}`, 303)
  }
}

export const EXPIRED_FORM = 'The form has expired, or your browser does not accept cookies. Try again.'

const UNKNOWN_PROVIDER = 'This instance no longer has this identity provider. Sign in in another way.'

/** `tab` is what the browser asks for. */
type Shown = Pick<SignInForm, 'returnTo'> & Partial<Omit<SignInForm, 'tab'>> & { tab: string }

interface ProviderSignIn {
  tab: ProviderTab
  returnTo: string | undefined
  staysSignedIn: boolean
  again: (refusal: SignInRefusal) => Promise<FastifyReply>
}

/** Responds with a page instead of the error of the API. */
export async function refusingForgery(
  reply: FastifyReply,
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 403) throw error
    const reason = String(error.body['message']).replace('403 Forbidden - ', '')
    return sendRefusedForm(reply, `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`)
  }
}
