import { type Markup, markup } from '../../../http/html-page.js'

/** Error of the previously submitted form. */
export interface Refusal {
  status: number
  message: string
  username: string
}

/** Fields for username and password, for users without a session, and buttons for the decision. */
export function signInFields(typed: Pick<Refusal, 'username'> | undefined): Markup {
  return markup`<label>Username or e-mail address
<input name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required
  value="${typed?.username ?? ''}"></label>
<label>Password
<input name="password" type="password" autocomplete="current-password" required></label>
<div class="buttons">
<button class="main" name="decision" value="allow">Allow</button>
<button name="decision" value="deny" formnovalidate>Deny</button>
</div>
<small><a href="../users/password/new">Forgot your password?</a></small>`
}

export function hiddenField(name: string, value: string | undefined): Markup {
  return value === undefined ? markup`` : markup`<input type="hidden" name="${name}" value="${value}">`
}
