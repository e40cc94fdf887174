import type { User } from '../../access/caller.js'
import type { ProviderRules } from './provider-settings.js'
import type { ProvenIdentity } from './provider.js'
import { textsOf } from './read-claims.js'

/** What the store knows about an identity. */
export interface AccountFacts {
  /** The user who has the identity. */
  linked: User | undefined
  /** The user with the address of the identity. */
  owner: User | undefined
  /** Whether that user has confirmed the address. */
  hasOwnerConfirmed: boolean
}

export type AccountDecision =
  | { kind: 'sign-in'; user: User }
  /** The identity is given to an account with the same verified address. */
  | { kind: 'link'; user: User }
  | { kind: 'create'; email: string }
  | { kind: 'refuse'; reason: Refusal }

export type Refusal =
  | { code: 'claim'; claim: string }
  | { code: 'domain' }
  | { code: 'blocked' }
  | { code: 'gone' }
  | { code: 'pending' }
  | { code: 'no-person' }
  | { code: 'email-taken' }
  | { code: 'no-account' }
  | { code: 'no-email' }
  | { code: 'not-allowed' }
  /** The settings of the instance turn the provider off. */
  | { code: 'turned-off' }

/** The account that an identity signs in to. */
export function decideAccount(
  rules: ProviderRules,
  identity: ProvenIdentity,
  facts: AccountFacts,
): AccountDecision {
  const reason = refusalOf(rules, identity)
  if (reason) return refuse(reason)
  const { linked, owner } = facts
  if (linked) return unlessInactive({ kind: 'sign-in', user: linked })
  if (owner) {
    const isSame = rules.linkByVerifiedEmail && identity.isEmailVerified && facts.hasOwnerConfirmed
    return isSame ? unlessInactive({ kind: 'link', user: owner }) : refuse({ code: 'email-taken' })
  }
  if (!rules.newAccounts) return refuse({ code: 'no-account' })
  return identity.email === undefined
    ? refuse({ code: 'no-email' })
    : { kind: 'create', email: identity.email }
}

/** Why the provider signs this identity in to no account at all. */
export function refusalOf(rules: ProviderRules, identity: ProvenIdentity): Refusal | undefined {
  const claim = missingClaim(rules.requiredClaims, identity)
  if (claim !== undefined) return { code: 'claim', claim }
  return isOfAllowedDomain(rules, identity) ? undefined : { code: 'domain' }
}

/** Whether the user has given the provider a second factor that counts here. */
export function hasTrustedFactor({ trustedSecondFactor }: ProviderRules, identity: ProvenIdentity): boolean {
  return trustedSecondFactor.size > 0 && missingClaim(trustedSecondFactor, identity) === undefined
}

/** The first claim that has none of its values. */
function missingClaim(
  wanted: ReadonlyMap<string, readonly string[]>,
  { claims }: ProvenIdentity,
): string | undefined {
  for (const [claim, values] of wanted) {
    const given = textsOf(claims[claim])
    if (!values.some((value) => given.includes(value))) return claim
  }
  return undefined
}

/** An address that nobody has verified shows nothing. */
function isOfAllowedDomain(
  { allowedDomains }: ProviderRules,
  { email, isEmailVerified }: ProvenIdentity,
): boolean {
  if (allowedDomains.length === 0) return true
  const domain = email?.slice(email.lastIndexOf('@') + 1).toLowerCase()
  return isEmailVerified && domain !== undefined && allowedDomains.includes(domain)
}

function unlessInactive(decision: Extract<AccountDecision, { kind: 'sign-in' | 'link' }>): AccountDecision {
  const { state, kind } = decision.user
  if (kind !== 'human') return refuse({ code: 'no-person' })
  if (state === 'blocked_pending_approval') return refuse({ code: 'pending' })
  if (state === 'ldap_blocked') return refuse({ code: 'gone' })
  return state === 'active' ? decision : refuse({ code: 'blocked' })
}

function refuse(reason: Refusal): AccountDecision {
  return { kind: 'refuse', reason }
}

/** For the user; `label` is the name of the provider. */
export function describeRefusal(reason: Refusal, label: string): string {
  switch (reason.code) {
    case 'claim':
      return `${label} has not confirmed what this instance requires: the claim ${reason.claim} is missing or has another value. Sign in there with a second factor, or ask an administrator.`
    case 'domain':
      return `Only verified e-mail addresses of certain domains sign in with ${label}. Ask an administrator.`
    case 'blocked':
      return 'Your account has been blocked. Ask an administrator.'
    case 'gone':
      return 'Your account is blocked because you were gone or disabled at your directory. It is unblocked within an hour after you are back. Ask an administrator.'
    case 'pending':
      return 'Your account waits for the approval of an administrator. Sign in after that.'
    case 'no-person':
      return 'Only accounts of people sign in. Ask an administrator.'
    case 'email-taken':
      return `There is an account with your e-mail address already. Sign in to it as before, and link ${label} on the page "Sessions" of your account.`
    case 'no-account':
      return `No account is linked to you at ${label}. Sign in to yours as before, and link ${label} on the page "Sessions" of your account, or ask an administrator for an account.`
    case 'no-email':
      return `${label} has not given your e-mail address, which a new account needs. Ask an administrator.`
    case 'turned-off':
      return `Sign-ins with ${label} are turned off on this instance.`
    case 'not-allowed':
      return `This instance creates no account with what ${label} says of you: the e-mail address is not valid, or of a domain that is not allowed. Ask an administrator.`
  }
}
