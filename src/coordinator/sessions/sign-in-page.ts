import type { FastifyReply } from 'fastify'

import { CSRF_PARAMETER } from '../http/authentication/csrf.js'
import { type Markup, markup, sendPage } from '../http/html-page.js'
import type { Brand } from './brand.js'
import type { SignInRefusal } from './identify.js'

/** Of a password of this instance, of a token, or of the password at a provider. */
export type Tab = 'password' | 'token' | ProviderTab
export type ProviderTab = `provider:${string}`

interface NamedProvider {
  name: string
  label: string
}

export interface TabLink {
  tab: Tab
  label: string
}

export interface SignInForm {
  /** Host of the instance. */
  host: string
  tabs: readonly TabLink[]
  /** The one of the form. */
  tab: Tab
  /** Whether a forgotten password can be reset by mail. */
  sendsMails: boolean
  formToken: string
  returnTo: string | undefined
  /** What the visitor typed. */
  username: string
  staysSignedIn: boolean
  hasSignedOut: boolean
  /** Whether visitors may sign up. */
  takesSignUps: boolean
  /** Whether browsers offer passkeys here. */
  takesPasskeys: boolean
  refusal?: SignInRefusal | undefined
  brand: Brand
  /** The identity providers to which a button leads. */
  providers: readonly NamedProvider[]
}

const FORM_ACTIONS = ["'self'"]

export function providerTab({ name }: Pick<NamedProvider, 'name'>): ProviderTab {
  return `provider:${name}`
}

export function isProviderTab(tab: string): tab is ProviderTab {
  return tab.startsWith('provider:')
}

/** The ways to sign in with a form, the usual one first. `providers` are those that check passwords. */
export function tabsOf(
  takesPasswords: boolean,
  providers: readonly NamedProvider[],
): [TabLink, ...TabLink[]] {
  const passwords: TabLink[] = takesPasswords ? [{ tab: 'password', label: 'Password' }] : []
  const ofProviders = providers.map((provider) => ({ tab: providerTab(provider), label: provider.label }))
  const token: TabLink = { tab: 'token', label: 'Token' }
  const [first = token, ...others] = [...passwords, ...ofProviders]
  return first === token ? [token] : [first, ...others, token]
}

/** The path of the page with a tab. */
export function signInAddress(tab: Tab, returnTo: string | undefined): string {
  return `/users/sign_in?${tabQuery(tab, returnTo)}`
}

function tabQuery(tab: Tab, returnTo: string | undefined): string {
  return new URLSearchParams({ ...(returnTo !== undefined && { return_to: returnTo }), tab }).toString()
}

export function sendSignInPage(reply: FastifyReply, form: SignInForm): FastifyReply {
  const { host, tab, sendsMails, refusal } = form
  const body = markup`${form.hasSignedOut ? markup`<p role="status">You are signed out.</p>` : ''}
${tabLinks(form)}
<form method="post" action="sign_in">
${hidden(CSRF_PARAMETER, form.formToken)}
${form.returnTo === undefined ? '' : hidden('return_to', form.returnTo)}
${hidden('tab', tab)}
${tab === 'token' ? TOKEN_FIELDS : passwordFields(usernameLabel(form), form.username)}
<label class="check"><input type="checkbox" name="remember_me" value="1"${form.staysSignedIn ? markup` checked` : ''}>
Stay signed in</label>
<div class="buttons"><button class="main">Sign in</button></div>${providerButtons(form)}
</form>
${form.takesPasskeys ? passkeyLink(form.returnTo) : ''}
<small>${
    sendsMails && tab === 'password'
      ? markup`<a href="password/new">Forgot your password?</a> ${confirmationLink(form)}`
      : ''
  }No account?
${form.takesSignUps ? markup`<a href="sign_up">Sign up</a>.` : 'Ask an administrator of this instance for one.'}
<a href="../explore/projects">Look at public projects</a></small>`
  return sendForm(reply, { title: `Sign in to ${host}`, body, refusal, ...form.brand })
}

/** For users who are refused because they have not confirmed their address. */
function confirmationLink({ refusal }: SignInForm): Markup | '' {
  return refusal?.status === 403
    ? markup`<a href="confirmation/new">No mail to confirm your address?</a> `
    : ''
}

const TOKEN_FIELDS = markup`<label>Personal access token with the scope <code>api</code>
<input name="token" type="password" autocomplete="off" required autofocus></label>`

function usernameLabel({ tab, tabs }: SignInForm): string {
  const label = tabs.find((each) => each.tab === tab)?.label ?? ''
  return isProviderTab(tab) ? `Username at ${label}` : 'Username or e-mail address'
}

/** `label` is that of the username. */
export function passwordFields(label: string, username: string): Markup {
  const [ofName, ofPassword] = username === '' ? [AUTOFOCUS, NOTHING] : [NOTHING, AUTOFOCUS]
  return markup`<label>${label}
<input name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required${ofName}
  value="${username}"></label>
<label>Password
<input name="password" type="password" autocomplete="current-password" required${ofPassword}></label>`
}

function passkeyLink(returnTo: string | undefined): Markup {
  const query = returnTo === undefined ? '' : `?${new URLSearchParams({ return_to: returnTo }).toString()}`
  return markup`<p class="other"><a href="passkey${query}">Sign in with a passkey</a></p>`
}

const AUTOFOCUS = markup` autofocus`
const NOTHING = markup``

/** A button for each identity provider, which sends the form with its choice to stay signed in there. */
function providerButtons({ providers }: SignInForm): readonly Markup[] {
  return providers.map(
    ({ name, label }) => markup`
<div class="buttons"><button formaction="auth/${name}" formnovalidate>Sign in with ${label}</button></div>`,
  )
}

/** None for a single way to sign in. */
function tabLinks({ tabs, tab: current, returnTo }: SignInForm): Markup {
  if (tabs.length === 1) return NOTHING
  const links = tabs.map(
    ({ tab, label }) =>
      markup`<a href="sign_in?${tabQuery(tab, returnTo)}"${tab === current ? markup` aria-current="page"` : ''}>${label}</a>`,
  )
  return markup`<nav class="tabs" aria-label="Ways to sign in">${links}</nav>`
}

/** Asks for one click, because programs that preview links open them. */
export function sendLinkPage(
  reply: FastifyReply,
  {
    name,
    username,
    formToken,
    refusal,
  }: { name: string; username: string; formToken: string; refusal?: SignInRefusal },
): FastifyReply {
  const body = markup`<p>You are about to sign in as <b>${name}</b> (${username}).</p>
<form method="post">
${hidden(CSRF_PARAMETER, formToken)}
<div class="buttons"><button class="main" autofocus>Sign in</button></div>
</form>`
  return sendForm(reply, { title: 'Sign in', body, refusal })
}

export function sendUnknownLink(reply: FastifyReply, refusal?: SignInRefusal): FastifyReply {
  const body = markup`<p>The link has been used or has expired, or it is not complete. Ask for another one, or
<a href="../sign_in">sign in</a> in another way.</p>`
  return sendForm(reply, {
    title: 'This link leads nowhere',
    body,
    refusal: refusal ?? { status: 404, message: '' },
  })
}

/** A page for a form that another site may have sent. */
export function sendRefusedForm(reply: FastifyReply, message: string): FastifyReply {
  const body = markup`<p>Go back, reload the page and try again.</p>`
  return sendForm(reply, { title: 'The form was not accepted', body, refusal: { status: 403, message } })
}

export function hidden(name: string, value: string): Markup {
  return markup`<input type="hidden" name="${name}" value="${value}">`
}

export function sendForm(
  reply: FastifyReply,
  {
    refusal,
    ...page
  }: { title: string; body: Markup; refusal?: SignInRefusal | undefined; script?: string } & Partial<Brand>,
): FastifyReply {
  if (refusal?.retryAfter !== undefined) reply.header('retry-after', String(refusal.retryAfter))
  const alert = refusal?.message || undefined
  return sendPage(reply, refusal?.status ?? 200, { ...page, alert, formActions: FORM_ACTIONS })
}
