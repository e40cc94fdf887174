import type { ProviderRules } from './provider-settings.js'

/** The rules of a provider as names and values for administrators. */
export function describeRules(rules: ProviderRules): [name: string, value: string][] {
  const required = [...rules.requiredClaims].map(([claim, values]) => `${claim}: ${values.join(' or ')}`)
  return [
    ['Domains', rules.allowedDomains.join(', ') || 'any'],
    ['New accounts', describeNewAccounts(rules)],
    ['Linked by a verified address', rules.linkByVerifiedEmail ? 'yes' : 'no'],
    ['Required claims', required.join(', ') || 'none'],
    ['Groups', [...rules.groups.keys()].join(', ') || 'none'],
  ]
}

function describeNewAccounts({
  newAccounts,
  newAccountsExternal,
  newAccountsApproval,
}: ProviderRules): string {
  if (!newAccounts) return 'no'
  return `yes${newAccountsExternal ? ', external' : ''}${newAccountsApproval ? ', after approval' : ''}`
}
