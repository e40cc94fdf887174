import { createPublicKey, verify } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'

import { MINUTE } from '../../../../lib/time-units.js'
import { CLOCK_TOLERANCE } from './read-assertion.js'
import {
  childrenOf,
  isElement,
  neededAttribute,
  neededChild,
  timeOf,
  type XmlElement,
} from './xml-elements.js'

/** Milliseconds in which a logout request is valid after it was issued. */
export const LOGOUT_REQUEST_LIFE = 5 * MINUTE

/** Largest message after it is decompressed, in bytes. */
const MAX_MESSAGE = 64 * 1024

/** Hashes by the algorithm of a signature of a query. */
const HASHES: ReadonlyMap<string, string> = new Map([
  ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', 'sha256'],
  ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha512', 'sha512'],
])

/** Whose sessions end at the wish of a provider. */
export interface LogoutRequest {
  /** ID of the message, which is valid once. */
  id: string
  nameId: string
  /** None: all sessions of the user. */
  sessionIndexes: readonly string[]
}

/** A message in a query (binding HTTP-Redirect), whose signature is about the query as it was sent. */
export interface SignedQuery {
  xml: string
  isSignedBy: (certificate: string) => boolean
}

/** Reads the message `name` of a query. Throws for a query without a signature, and for a parameter that comes twice. */
export function readSignedQuery(query: string, name: string): SignedQuery {
  const pairs = query.split('&').map((text) => ({ name: text.split('=')[0] ?? '', text }))
  const pairOf = (wanted: string) => {
    const [pair, second] = pairs.filter((each) => decodeURIComponent(each.name) === wanted)
    if (second || (pair && pair.name !== wanted)) throw new Error(`${wanted} is not given once`)
    return pair?.text
  }
  const valueOf = (wanted: string) => decodeURIComponent((pairOf(wanted) ?? '').slice(wanted.length + 1))
  const hash = HASHES.get(valueOf('SigAlg'))
  if (hash === undefined) throw new Error('The message is not signed with an algorithm that is allowed')
  const signed = Buffer.from(
    [name, 'RelayState', 'SigAlg']
      .map(pairOf)
      .filter((text) => text !== undefined)
      .join('&'),
  )
  const signature = Buffer.from(valueOf('Signature'), 'base64')
  const compressed = Buffer.from(valueOf(name), 'base64')
  return {
    xml: inflateRawSync(compressed, { maxOutputLength: MAX_MESSAGE }).toString(),
    isSignedBy: (certificate) => verify(hash, signed, createPublicKey(certificate), signature),
  }
}

/** Reads a request whose signature has been verified (SAML Core 2.0, section 3.7.1). Throws for one that is not for here. */
export function readLogoutRequest(
  request: XmlElement,
  { issuer, destination }: { issuer: string; destination: string },
): LogoutRequest {
  if (!isElement(request, 'protocol', 'LogoutRequest')) throw new Error('The message is not a LogoutRequest')
  if (neededChild(request, 'assertion', 'Issuer').text.trim() !== issuer)
    throw new Error('The issuer is another one')
  if ((request.attributes.get('Destination') ?? destination) !== destination) {
    throw new Error('The message is for another address')
  }
  const age = Date.now() - (timeOf(request, 'IssueInstant') ?? 0)
  const until = timeOf(request, 'NotOnOrAfter') ?? Infinity
  if (age < -CLOCK_TOLERANCE || age > LOGOUT_REQUEST_LIFE || until <= Date.now() - CLOCK_TOLERANCE) {
    throw new Error('The message is too old, or of the future')
  }
  return {
    id: neededAttribute(request, 'ID'),
    nameId: neededChild(request, 'assertion', 'NameID').text.trim(),
    sessionIndexes: childrenOf(request, 'protocol', 'SessionIndex').map(({ text }) => text.trim()),
  }
}
