import type { FastifyReply } from 'fastify'

import type { SignUpRules } from '../accounts/users/sign-up.js'
import { CSRF_PARAMETER } from '../http/authentication/csrf.js'
import { type Markup, markup } from '../http/html-page.js'
import type { Brand } from './brand.js'
import type { SignInRefusal } from './identify.js'
import { hidden, sendForm } from './sign-in-page.js'
import { termsText } from './terms-page.js'

export interface SignUpForm {
  /** Host of the instance. */
  host: string
  rules: SignUpRules
  formToken: string
  /** What the visitor typed, but for the passwords. */
  typed: { name: string; username: string; email: string }
  refusal?: SignInRefusal | undefined
  brand: Brand
}

export async function sendSignUpPage(reply: FastifyReply, form: SignUpForm): Promise<FastifyReply> {
  const { host, rules, formToken, typed, refusal } = form
  const body = markup`<form method="post" action="sign_up">
${hidden(CSRF_PARAMETER, formToken)}
<label>Name
<input name="name" autocomplete="name" maxlength="255" required autofocus value="${typed.name}"></label>
<label>Username
<input name="username" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="255" required
  value="${typed.username}"></label>
<label>E-mail address
<input name="email" type="email" autocomplete="email" maxlength="255" required value="${typed.email}"></label>
<label>Password
<input name="password" type="password" autocomplete="new-password" minlength="8" maxlength="128" required></label>
${rules.terms === undefined ? '' : await termsOf(rules.terms.text)}
<div class="buttons"><button class="main">Sign up</button></div>
</form>
<small>${whatFollows(rules)} Already have an account? <a href="sign_in">Sign in</a>.</small>`
  return sendForm(reply, { title: `Sign up to ${host}`, body, refusal, ...form.brand })
}

async function termsOf(terms: string): Promise<Markup> {
  return markup`${await termsText(terms)}
<label class="check"><input type="checkbox" name="accepts_terms" value="1" required> I accept the terms of service</label>`
}

function whatFollows({ confirmsAddress, needsApproval }: SignUpRules): string {
  const confirmation = confirmsAddress ? 'You get a mail to confirm your address. ' : ''
  return confirmation + (needsApproval ? 'An administrator approves each new account.' : '')
}

/**
 * The text does not depend on whether an account was created or the address already has one: visitors must not learn
 * who has an account.
 */
export function sendSignedUpPage(reply: FastifyReply, rules: SignUpRules): FastifyReply {
  const body = markup`${
    rules.confirmsAddress
      ? markup`<p>A mail with a link is on its way to your address. If you have an account already, the link sets another
password.</p>`
      : markup`<p>If you have an account already, nothing has changed.</p>`
  }
${rules.needsApproval ? markup`<p>You can sign in as soon as an administrator has approved your account.</p>` : ''}
${rules.textAfter === '' ? '' : markup`<p>${rules.textAfter}</p>`}
<p><a href="sign_in">Sign in</a></p>`
  return sendForm(reply, { title: 'Thank you for signing up', body })
}

export function sendNoSignUpPage(reply: FastifyReply): FastifyReply {
  const body = markup`<p>Administrators of this instance create accounts. <a href="sign_in">Sign in</a></p>`
  return sendForm(reply, {
    title: 'Ask an administrator for an account',
    body,
    refusal: { status: 404, message: '' },
  })
}
