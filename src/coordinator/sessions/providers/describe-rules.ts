import type { ProviderRules } from './provider-settings.js'

/** The rules of a provider as names and values for administrators. */
export function describeRules(rules: ProviderRules): [name: string, value: string][] {
  return [
    ['Domains', rules.allowedDomains.join(', ') || 'any'],
    ['New accounts', describeNewAccounts(rules)],
    ['Linked by a verified address', rules.linkByVerifiedEmail ? 'yes' : 'no'],
    ['Required claims', describeClaims(rules.requiredClaims)],
    ['Trusted second factor', describeClaims(rules.trustedSecondFactor)],
    ['Groups', [...rules.groups.keys()].join(', ') || 'none'],
  ]
}

function describeClaims(claims: ReadonlyMap<string, readonly string[]>): string {
  return [...claims].map(([claim, values]) => `${claim}: ${values.join(' or ')}`).join(', ') || 'none'
}

function describeNewAccounts({
  newAccounts,
  newAccountsExternal,
  newAccountsApproval,
}: ProviderRules): string {
  if (!newAccounts) return 'no'
  return `yes${newAccountsExternal ? ', external' : ''}${newAccountsApproval ? ', after approval' : ''}`
}
