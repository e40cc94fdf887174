import type { LdapSettings } from '../provider-settings.js'
import type { ProvenIdentity } from '../provider.js'
import { STATE_ATTRIBUTES } from './closed-account.js'
import type { DirectoryEntry } from './entry.js'

/** The attributes that are read of a user. */
export function userAttributes({ attributes, rules }: LdapSettings): string[] {
  const { username, name, email, id } = attributes
  return [...new Set([username, name, email, id, ...rules.requiredClaims.keys(), ...STATE_ATTRIBUTES])]
}

/** What an entry says about its user, who has just given the password. */
export function readUser(
  entry: DirectoryEntry,
  settings: LdapSettings,
  { subject, groups, now }: { subject: string; groups: readonly string[]; now: number },
): ProvenIdentity {
  const { attributes } = settings
  const email = entry.text(attributes.email)
  const all = userAttributes(settings).map((name) => [name, entry.texts(name)] as const)
  const claims = Object.fromEntries(all.filter(([, texts]) => texts.length > 0))
  return {
    subject,
    sid: null,
    authenticatedAt: now,
    username: entry.text(attributes.username),
    name: entry.text(attributes.name),
    email,
    isEmailVerified: email !== undefined && settings.isEmailVerified,
    groups,
    claims,
    facts: { dn: entry.dn, ...claims },
  }
}
