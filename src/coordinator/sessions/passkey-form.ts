import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'

import { type Markup, markup } from '../http/html-page.js'
import { hidden } from './sign-in-page.js'

/** The only script of a page with `passkeyForm`: asks the browser for a signature, and submits it. */
export const PASSKEY_SCRIPT = `
const form = document.querySelector('form[data-options]')
const problem = form.querySelector('output')
form.querySelector('button').addEventListener('click', async (event) => {
  event.preventDefault()
  problem.textContent = ''
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(form.dataset.options))
    const credential = await navigator.credentials.get({ publicKey })
    form.elements.credential.value = JSON.stringify(credential)
    form.submit()
  } catch (error) {
    problem.textContent = error.name === 'NotAllowedError' || error.name === 'AbortError'
      ? 'The browser gave no passkey. Try again.'
      : 'This browser cannot use passkeys here: ' + error.message
  }
})
`

/** A form whose button asks for a passkey; without scripts it says that it needs them. */
export function passkeyForm(
  action: string,
  fields: Markup,
  options: PublicKeyCredentialRequestOptionsJSON,
  button: string,
): Markup {
  return markup`<form method="post" action="${action}" data-options="${JSON.stringify(options)}">
${fields}
${hidden('credential', '')}
<div class="buttons"><button class="main">${button}</button></div>
<noscript><p>A passkey needs scripts, which your browser does not run here.</p></noscript>
<output role="alert"></output>
</form>`
}
