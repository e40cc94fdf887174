import type { FastifyReply } from 'fastify'

import { LEVEL_NAMES } from '../../access/level-names.js'
import { CSRF_PARAMETER } from '../../http/authentication/csrf.js'
import { type Markup, markup, sendPage } from '../../http/html-page.js'
import { hidden } from '../sign-in-page.js'
import { type AccountFacts, decideAccount, describeRefusal } from './decide-account.js'
import { callbackOf } from './identity-providers.js'
import { grantsOf } from './map-groups.js'
import { usernameFrom } from './new-account.js'
import {
  type IdentityProvider,
  type PasswordProvider,
  type ProvenIdentity,
  type Provider,
  takesPassword,
} from './provider.js'

/** The providers as they are configured, without secrets. For administrators. */
export function sendProviderList(
  reply: FastifyReply,
  {
    providers,
    csrfToken,
    externalUrl,
  }: {
    providers: readonly (IdentityProvider | PasswordProvider)[]
    csrfToken: string
    externalUrl: string
  },
): FastifyReply {
  const none = markup`<p>None is configured. Add a table [sign_in.providers.name] to the settings of the coordinator.</p>`
  const body = markup`${providers.length === 0 ? none : ''}
${providers.map(
  (provider) => markup`<section><h2>${provider.label}</h2>
${table([['Name', provider.name], ...callbackRow(externalUrl, provider), ...provider.describe()])}
<form method="post" action="/users/auth/${provider.name}">
${hidden(CSRF_PARAMETER, csrfToken)}
${hidden('purpose', 'try')}
<div class="buttons"><button>Try it</button></div>
</form></section>
`,
)}
<p><a href="/admin">Administration</a></p>`
  return sendPage(reply, 200, { title: 'Identity providers', body, formActions: ["'self'"] })
}

function callbackRow(externalUrl: string, provider: IdentityProvider | PasswordProvider): [string, string][] {
  return takesPassword(provider) ? [] : [['Callback', callbackOf(externalUrl, provider.name)]]
}

/** What a provider says of the user at the browser, and what a sign-in would do. Nobody is signed in. */
export function sendTriedProvider(
  reply: FastifyReply,
  { provider, identity, facts }: { provider: Provider; identity: ProvenIdentity; facts: AccountFacts },
): FastifyReply {
  const grants = [...grantsOf(provider.rules.groups, identity.groups)]
  const body = markup`<p role="status">${describeDecision(provider, identity, facts)}</p>
<h2>What is used</h2>
${table([
  ['ID', identity.subject],
  ['Username', identity.username ?? 'missing'],
  ['Name', identity.name ?? 'missing'],
  [
    'E-mail',
    identity.email === undefined
      ? 'missing'
      : `${identity.email} (${identity.isEmailVerified ? '' : 'not '}verified)`,
  ],
  ['Session', identity.sid ?? 'missing: single sign-out ends all sessions of the user'],
  [
    'Last authentication',
    identity.authenticatedAt === undefined
      ? 'missing: sessions begin unconfirmed'
      : new Date(identity.authenticatedAt).toISOString(),
  ],
  ['Groups', identity.groups.join(', ') || 'none'],
  [
    'Memberships',
    grants.map(([path, level]) => `${path}: ${LEVEL_NAMES.get(level) ?? level}`).join(', ') || 'none',
  ],
])}
<h2>All claims</h2>
${table(Object.entries(identity.facts).map(([name, value]) => [name, JSON.stringify(value)]))}
<p><a href="/users/auth">Identity providers</a></p>`
  return sendPage(reply, 200, { title: `What ${provider.label} says of you`, body })
}

function describeDecision(provider: Provider, identity: ProvenIdentity, facts: AccountFacts): string {
  const decision = decideAccount(provider.rules, identity, facts)
  switch (decision.kind) {
    case 'sign-in':
      return `A sign-in would use the account ${decision.user.username}.`
    case 'link':
      return `A sign-in would link the account ${decision.user.username}, which has confirmed the same address, and use it.`
    case 'create':
      return `A sign-in would create an account like ${usernameFrom(identity)}${provider.rules.newAccountsApproval ? ', which an administrator approves' : ''}.`
    case 'refuse':
      return `A sign-in would be refused: ${describeRefusal(decision.reason, provider.label)}`
  }
}

function table(rows: readonly (readonly [string, string])[]): Markup {
  return markup`<dl>${rows.map(([name, value]) => markup`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`
}
