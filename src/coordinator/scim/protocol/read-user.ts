import { isRecord } from '../../../lib/is-record.js'
import type { Shape } from './patch.js'
import { invalidValue, readFlag, readText, requireText, valueOf } from './read-attributes.js'

/** What a provider says about a user. */
export interface UserStatement {
  userName: string
  /** ID of the user at the provider; undefined if it is not said. */
  externalId: string | undefined
  email: string
  displayName: string | null
  formattedName: string | null
  givenName: string | null
  familyName: string | null
  /** Undefined if it is not said. */
  active: boolean | undefined
}

/** Attributes that a PATCH changes. What is not here, such as `roles` and `entitlements`, has no effect. */
export const USER_SHAPE: Shape = new Map([
  ['username', { name: 'userName', kind: 'value' }],
  ['externalid', { name: 'externalId', kind: 'value' }],
  ['displayname', { name: 'displayName', kind: 'value' }],
  ['active', { name: 'active', kind: 'value' }],
  ['name', { name: 'name', kind: 'object', parts: names('formatted', 'givenName', 'familyName') }],
  ['emails', { name: 'emails', kind: 'list', parts: names('value', 'type', 'primary') }],
])

function names(...parts: string[]): ReadonlyMap<string, string> {
  return new Map(parts.map((part) => [part.toLowerCase(), part]))
}

type Body = Readonly<Record<string, unknown>>

/** Throws 400 for attributes that are missing or not valid. */
export function readUser(body: Body): UserStatement {
  const userName = requireText(body, 'userName')
  const name = readObject(body, 'name')
  return {
    userName,
    externalId: readText(body, 'externalId'),
    email: readEmail(body) ?? addressIn(userName),
    displayName: readText(body, 'displayName') ?? null,
    formattedName: readText(name, 'formatted', 'name.formatted') ?? null,
    givenName: readText(name, 'givenName', 'name.givenName') ?? null,
    familyName: readText(name, 'familyName', 'name.familyName') ?? null,
    active: readFlag(body, 'active'),
  }
}

/** The name of the account. */
export function fullNameOf({
  displayName,
  formattedName,
  givenName,
  familyName,
  userName,
}: UserStatement): string {
  const parts = [givenName, familyName].filter((part) => part !== null).join(' ')
  return displayName ?? formattedName ?? (parts === '' ? userName : parts)
}

function readObject(body: Body, name: string): Body {
  const value = valueOf(body, name)
  if (value === undefined || value === null) return {}
  if (!isRecord(value)) throw invalidValue(name, 'must be an object')
  return value
}

/** An account has one address: the primary one, or that of work, or the first one. */
function readEmail(body: Body): string | undefined {
  const value = valueOf(body, 'emails')
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value) || !value.every(isRecord))
    throw invalidValue('emails', 'must be a list of objects')
  const emails = value.filter((each) => readText(each, 'value', 'emails.value') !== undefined)
  const chosen =
    emails.find((each) => readFlag(each, 'primary') === true) ??
    emails.find((each) => readText(each, 'type', 'emails.type')?.toLowerCase() === 'work') ??
    emails[0]
  return chosen && readText(chosen, 'value', 'emails.value')
}

function addressIn(userName: string): string {
  if (userName.includes('@')) return userName
  throw invalidValue('emails', 'is missing: an account needs an e-mail address')
}
