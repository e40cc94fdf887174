import type { ClaimNames } from './provider-settings.js'
import type { ProvenIdentity } from './provider.js'

type Claims = Readonly<Record<string, unknown>>

/** The claim of OpenID Connect to which `email_verified` applies. */
const EMAIL = 'email'
/** Longest text that is read from a claim, in characters. */
const MAX_LENGTH = 255
/** Maximum number of groups of a user that are read. */
export const MAX_GROUPS = 1000

/**
 * What the claims say about the user. `token` is from the ID token and `info` from the userinfo endpoint; both have the
 * same subject. A claim of the token takes precedence, and the ID of the user, in `subjectClaim`, is from it alone. The address and its verification are from the same source. Throws
 * for a subject that is empty or has more than 255 characters (OpenID Connect Core 1.0, section 2).
 */
export function identityOf(
  { token, info }: { token: Claims & { sub: string }; info: Claims },
  names: ClaimNames,
  subjectClaim = 'sub',
): ProvenIdentity {
  const subject = readText(token[subjectClaim])
  if (subject === undefined || subject !== token[subjectClaim]) throw new Error('The subject is not valid')
  const facts = { ...info, ...token }
  const ofEmail = readText(token[names.email]) === undefined ? info : token
  const email = readText(ofEmail[names.email])
  const authTime = token['auth_time']
  return {
    subject,
    ...(subjectClaim !== 'sub' && { logoutSubject: token.sub }),
    sid: readText(token['sid']) ?? null,
    authenticatedAt: typeof authTime === 'number' ? authTime * 1000 : undefined,
    username: readText(facts[names.username]),
    name: readText(facts[names.name]),
    email,
    isEmailVerified: email !== undefined && names.email === EMAIL && ofEmail['email_verified'] === true,
    groups: textsOf(facts[names.groups]).slice(0, MAX_GROUPS),
    claims: token,
    facts,
  }
}

/** A claim as a list of texts: providers write one value as it is, or in a list. */
export function textsOf(value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value : [value]
  return values.flatMap((each) =>
    typeof each === 'string' || typeof each === 'number' || typeof each === 'boolean' ? [String(each)] : [],
  )
}

export function readText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  return text === '' || text.length > MAX_LENGTH || text.includes('\0') ? undefined : text
}
