import type { User } from '../../../access/caller.js'
import { CSRF_PARAMETER } from '../../../http/authentication/csrf.js'
import type { RequestSession } from '../../../http/authentication/read-session.js'
import { type Markup, markup } from '../../../http/html-page.js'
import { hiddenField } from './sign-in-fields.js'

/** Names the account of the session, and asks for the decision alone. */
export function decisionFields({ user, csrfToken }: RequestSession): Markup {
  return markup`${hiddenField(CSRF_PARAMETER, csrfToken)}
<p>You are signed in as <b>${user.name}</b> (${user.username}).</p>
<div class="buttons">
<button class="main" name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Deny</button>
</div>`
}

/** A form that signs out, and comes back to `returnTo` after the sign-in as another user. */
export function otherAccountForm({ csrfToken }: RequestSession, returnTo: string): Markup {
  return markup`<form method="post" action="../users/sign_out">
${hiddenField(CSRF_PARAMETER, csrfToken)}
${hiddenField('return_to', returnTo)}
<div class="buttons"><button>Use another account</button></div>
</form>`
}

/** A link to the page with all ways to sign in, which comes back to `returnTo`. */
export function signInLink(returnTo: string): Markup {
  const query = new URLSearchParams({ return_to: returnTo }).toString()
  return markup`<small><a href="../users/sign_in?${query}">Sign in with a token, or stay signed in</a></small>`
}

/** A note for an application that no administrator has registered. */
export function registrantNote(
  { dynamic }: { dynamic: boolean },
  registrant: Pick<User, 'name' | 'username'> | undefined,
): Markup {
  if (dynamic) return markup`<p><b>Nobody has verified this application</b>: it has registered itself.</p>`
  if (!registrant) return markup``
  const { name, username } = registrant
  return markup`<p>The user <b>${name}</b> (${username}) has registered it, not an administrator of this instance.</p>`
}
