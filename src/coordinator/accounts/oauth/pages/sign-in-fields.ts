import { type Markup, markup } from '../../../http/html-page.js'

/** Error of the previously submitted form. */
export interface Refusal {
  status: number
  message: string
  username: string
  /** Whether the user has a second factor, whose code the form must contain too. */
  asksForCode?: boolean
}

/** Fields for username, password and code, for users without a session, and buttons for the decision. */
export function signInFields(typed: Pick<Refusal, 'username' | 'asksForCode'> | undefined): Markup {
  return markup`<label>Username or e-mail address
<input name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required
  value="${typed?.username ?? ''}"></label>
<label>Password
<input name="password" type="password" autocomplete="current-password" required></label>
${typed?.asksForCode ? CODE_FIELD : ''}
<div class="buttons">
<button class="main" name="decision" value="allow">Allow</button>
<button name="decision" value="deny" formnovalidate>Deny</button>
</div>
<small><a href="../users/password/new">Forgot your password?</a></small>`
}

const CODE_FIELD = markup`<label>Code of your app, or a recovery code
<input name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required></label>`

export function hiddenField(name: string, value: string | undefined): Markup {
  return value === undefined ? markup`` : markup`<input type="hidden" name="${name}" value="${value}">`
}
