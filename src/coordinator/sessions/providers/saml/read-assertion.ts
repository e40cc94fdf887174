import { MINUTE } from '../../../../lib/time-units.js'
import type { SamlSettings } from '../provider-settings.js'
import type { ProvenIdentity } from '../provider.js'
import { MAX_GROUPS, readText } from '../read-claims.js'
import { type AttributeNames, NAME_ID_FORMATS } from './saml-settings.js'
import {
  childOf,
  childrenOf,
  everyElement,
  neededAttribute,
  neededChild,
  timeOf,
  type XmlElement,
} from './xml-elements.js'

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
const UNSPECIFIED = NAME_ID_FORMATS.unspecified

/** The name under which `required_claims` finds how the user has authenticated. */
const CONTEXT = 'AuthnContextClassRef'

/** Milliseconds by which the clock of a provider may differ. */
export const CLOCK_TOLERANCE = MINUTE

/** What an assertion has to be for. */
export interface ExpectedAssertion {
  /** Entity ID of the provider. */
  issuer: string
  /** Entity ID of this instance. */
  audience: string
  /** The address to which the provider sends the assertion. */
  recipient: string
  /** ID of the request of this instance. */
  inResponseTo: string
}

export interface ReadAssertion {
  identity: ProvenIdentity
  /** ID of the assertion, which is valid once. */
  id: string
  /** When it is no longer valid, in milliseconds since 1970. */
  expiresAt: number
}

/** The assertion is right, but its subject is not permanent. `message` is for administrators. */
export class SubjectError extends Error {
  override readonly name = 'SubjectError'
}

/**
 * Reads an assertion whose signature has been verified, by the rules for the browser (SAML Profiles 2.0, section
 * 4.1.4.3). Throws for one that is not for this request, and `SubjectError`.
 */
export function readAssertion(
  assertion: XmlElement,
  expected: ExpectedAssertion,
  settings: Pick<SamlSettings, 'attributes' | 'subjectAttribute' | 'nameIdFormat' | 'emailsVerified'>,
): ReadAssertion {
  if (neededAttribute(assertion, 'Version') !== '2.0') throw new Error('The version is not 2.0')
  const issuer = neededChild(assertion, 'assertion', 'Issuer').text.trim()
  if (issuer !== expected.issuer) throw new Error(`The issuer is ${issuer}`)
  const subject = neededChild(assertion, 'assertion', 'Subject')
  const confirmedUntil = checkConfirmation(subject, expected)
  checkConditions(neededChild(assertion, 'assertion', 'Conditions'), expected)
  const attributes = attributesOf(assertion)
  return {
    identity: {
      subject: subjectOf(subject, attributes, settings),
      ...authenticationOf(assertion),
      ...userOf(attributes, settings.attributes, settings.emailsVerified),
      ...claimsOf(assertion, attributes),
    },
    id: neededAttribute(assertion, 'ID'),
    expiresAt: confirmedUntil + CLOCK_TOLERANCE,
  }
}

/** Returns until when the assertion is confirmed. */
function checkConfirmation(subject: XmlElement, expected: ExpectedAssertion): number {
  const now = Date.now()
  for (const confirmation of childrenOf(subject, 'assertion', 'SubjectConfirmation')) {
    const data = childOf(confirmation, 'assertion', 'SubjectConfirmationData')
    if (confirmation.attributes.get('Method') !== BEARER || !data) continue
    const until = timeOf(data, 'NotOnOrAfter') ?? 0
    const isInTime =
      now < until + CLOCK_TOLERANCE && (timeOf(data, 'NotBefore') ?? 0) <= now + CLOCK_TOLERANCE
    const isForRequest =
      data.attributes.get('Recipient') === expected.recipient &&
      data.attributes.get('InResponseTo') === expected.inResponseTo
    if (isInTime && isForRequest) return until
  }
  throw new Error('No confirmation of the subject is for this request')
}

function checkConditions(conditions: XmlElement, { audience }: ExpectedAssertion): void {
  const now = Date.now()
  const [from, until] = [timeOf(conditions, 'NotBefore'), timeOf(conditions, 'NotOnOrAfter')]
  if (from !== undefined && from > now + CLOCK_TOLERANCE) throw new Error('The assertion is not yet valid')
  if (until !== undefined && until <= now - CLOCK_TOLERANCE) throw new Error('The assertion has expired')
  const restrictions = childrenOf(conditions, 'assertion', 'AudienceRestriction')
  const isForUs = (restriction: XmlElement) =>
    childrenOf(restriction, 'assertion', 'Audience').some(({ text }) => text.trim() === audience)
  if (restrictions.length === 0 || !restrictions.every(isForUs)) {
    throw new Error('The assertion is for another audience')
  }
}

function subjectOf(
  subject: XmlElement,
  attributes: ReadonlyMap<string, string[]>,
  { subjectAttribute, nameIdFormat }: Pick<SamlSettings, 'subjectAttribute' | 'nameIdFormat'>,
): string {
  if (subjectAttribute !== undefined) {
    const [value, second] = attributes.get(subjectAttribute) ?? []
    const id = second === undefined ? readText(value) : undefined
    if (id !== undefined && id === value) return id
    throw new SubjectError(`subject_attribute: the assertion needs one value of ${subjectAttribute}`)
  }
  const nameId = neededChild(subject, 'assertion', 'NameID')
  const format = nameId.attributes.get('Format') ?? UNSPECIFIED
  if (format === TRANSIENT) {
    throw new SubjectError(
      'The NameID is transient, so it is another one at each sign-in: let the provider send a persistent one, or set subject_attribute',
    )
  }
  if (format !== NAME_ID_FORMATS[nameIdFormat]) {
    throw new SubjectError(
      `The NameID has the format ${format}: let the provider send ${NAME_ID_FORMATS[nameIdFormat]}, or set name_id_format or subject_attribute`,
    )
  }
  const id = readText(nameId.text)
  if (id === undefined) throw new SubjectError('The NameID is empty, or longer than 255 characters')
  return id
}

/** Several sessions may have one assertion; the first statement decides. */
function authenticationOf(assertion: XmlElement): Pick<ProvenIdentity, 'sid' | 'authenticatedAt'> {
  const [statement] = childrenOf(assertion, 'assertion', 'AuthnStatement')
  if (!statement) throw new Error('Assertion has no element AuthnStatement')
  const until = timeOf(statement, 'SessionNotOnOrAfter')
  if (until !== undefined && until <= Date.now() - CLOCK_TOLERANCE) {
    throw new Error('The session at the provider has ended')
  }
  return {
    sid: readText(statement.attributes.get('SessionIndex')) ?? null,
    authenticatedAt: timeOf(statement, 'AuthnInstant'),
  }
}

/** The values of each attribute; one that comes several times has the values of all. */
function attributesOf(assertion: XmlElement): Map<string, string[]> {
  const attributes = new Map<string, string[]>()
  for (const statement of childrenOf(assertion, 'assertion', 'AttributeStatement')) {
    for (const attribute of childrenOf(statement, 'assertion', 'Attribute')) {
      const name = neededAttribute(attribute, 'Name')
      const values = childrenOf(attribute, 'assertion', 'AttributeValue').map(wholeText)
      attributes.set(name, [...(attributes.get(name) ?? []), ...values])
    }
  }
  return attributes
}

function wholeText(value: XmlElement): string {
  return [...everyElement(value)]
    .map(({ text }) => text)
    .join('')
    .trim()
}

function userOf(
  attributes: ReadonlyMap<string, string[]>,
  names: AttributeNames,
  emailsVerified: boolean,
): Pick<ProvenIdentity, 'username' | 'name' | 'email' | 'isEmailVerified' | 'groups'> {
  const first = (wanted: readonly string[]) =>
    wanted.map((name) => readText(attributes.get(name)?.[0])).find((value) => value !== undefined)
  const parts = [first(names.givenName), first(names.surname)].filter((part) => part !== undefined)
  const email = first(names.email)
  return {
    username: first(names.username),
    name: first(names.name) ?? readText(parts.join(' ')),
    email,
    isEmailVerified: emailsVerified && email !== undefined,
    groups: names.groups.flatMap((name) => attributes.get(name) ?? []).slice(0, MAX_GROUPS),
  }
}

function claimsOf(
  assertion: XmlElement,
  attributes: ReadonlyMap<string, string[]>,
): Pick<ProvenIdentity, 'claims' | 'facts'> {
  const contexts = childrenOf(assertion, 'assertion', 'AuthnStatement')
    .flatMap((statement) => childrenOf(statement, 'assertion', 'AuthnContext'))
    .flatMap((context) => childrenOf(context, 'assertion', CONTEXT))
    .map(({ text }) => text.trim())
  // An attribute with the same name says nothing about the authentication.
  const claims = Object.fromEntries(
    [...attributes, [CONTEXT, contexts] as const].map(([name, values]) => [
      name,
      values.length === 1 ? values[0] : values,
    ]),
  )
  return { claims, facts: claims }
}
