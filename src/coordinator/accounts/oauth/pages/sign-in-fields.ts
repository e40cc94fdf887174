import { type Markup, markup } from './page.js'

/** What was wrong with the form that came before. */
export interface Refusal {
  status: number
  message: string
  username: string
}

/** Asks for name and password, for there is no session to know people by, and for what they decide. */
export function signInFields(refusal: Refusal | undefined): Markup {
  return markup`<label>User name or e-mail address
<input name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required
  value="${refusal?.username ?? ''}"></label>
<label>Password
<input name="password" type="password" autocomplete="current-password" required></label>
<div class="buttons">
<button class="main" name="decision" value="allow">Allow</button>
<button name="decision" value="deny" formnovalidate>Refuse</button>
</div>`
}

export function hiddenField(name: string, value: string | undefined): Markup {
  return value === undefined ? markup`` : markup`<input type="hidden" name="${name}" value="${value}">`
}
