import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'
import type { FastifyReply } from 'fastify'

import type { User } from '../access/caller.js'
import { CSRF_PARAMETER } from '../http/authentication/csrf.js'
import { markup } from '../http/html-page.js'
import type { SignInRefusal } from './identify.js'
import { PASSKEY_SCRIPT, passkeyForm } from './passkey-form.js'
import { hidden, sendForm } from './sign-in-page.js'

export interface SecondFactorForm {
  user: Pick<User, 'username'>
  formToken: string
  /** Whether the user has an app that shows codes. */
  hasApp: boolean
  /** Undefined for a user without passkeys. */
  options: PublicKeyCredentialRequestOptionsJSON | undefined
  refusal?: SignInRefusal | undefined
}

/** Asks for a code, and for a passkey if the user has one. */
export function sendSecondFactorPage(
  reply: FastifyReply,
  { user, formToken, hasApp, options, refusal }: SecondFactorForm,
): FastifyReply {
  const token = hidden(CSRF_PARAMETER, formToken)
  const body = markup`<p>Signing in as <b>${user.username}</b>.</p>
${options ? passkeyForm('second_factor', token, options, 'Use a passkey') : ''}
<form method="post" action="second_factor">
${token}
<label>${hasApp ? 'Code of your app, or a recovery code' : 'Recovery code'}
<input name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required${
    options ? '' : markup` autofocus`
  }></label>
<div class="buttons"><button${options ? '' : markup` class="main"`}>Continue</button></div>
</form>
<small>${hasApp ? 'Without the app and the codes' : 'Without the passkey and the codes'}, ask an administrator of this
instance. <a href="sign_in">Sign in as another user</a></small>`
  return sendForm(reply, {
    title: 'Two-factor authentication',
    body,
    refusal,
    ...(options && { script: PASSKEY_SCRIPT }),
  })
}

export interface PasskeyPage {
  host: string
  formToken: string
  returnTo: string | undefined
  options: PublicKeyCredentialRequestOptionsJSON
  refusal?: SignInRefusal | undefined
}

/** Asks for a passkey that is both factors. */
export function sendPasskeyPage(
  reply: FastifyReply,
  { host, formToken, returnTo, options, refusal }: PasskeyPage,
): FastifyReply {
  const fields = markup`${hidden(CSRF_PARAMETER, formToken)}
${returnTo === undefined ? '' : hidden('return_to', returnTo)}
<label class="check"><input type="checkbox" name="remember_me" value="1">
Stay signed in</label>`
  const body = markup`${passkeyForm('passkey', fields, options, 'Sign in with a passkey')}
<small>Your browser asks for the PIN of the passkey, or for a finger or the face. <a href="sign_in">Sign in in another way</a></small>`
  return sendForm(reply, { title: `Sign in to ${host}`, body, refusal, script: PASSKEY_SCRIPT })
}
