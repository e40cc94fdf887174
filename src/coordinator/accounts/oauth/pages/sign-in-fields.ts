import { type Markup, markup } from '../../../http/html-page.js'

/** Error of the previously submitted form. */
export interface Refusal {
  status: number
  message: string
  username: string
}

/** Fields for username and password, required because there are no sessions, and buttons for the decision. */
export function signInFields(refusal: Refusal | undefined): Markup {
  return markup`<label>Username or e-mail address
<input name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required
  value="${refusal?.username ?? ''}"></label>
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
