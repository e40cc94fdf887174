import {
  childOf,
  everyElement,
  isElement,
  neededAttribute,
  neededChild,
  type XmlElement,
} from './xml-elements.js'

/** Signatures with a public key and SHA-2: neither SHA-1 nor a shared secret (RFC 6931). */
const SIGNATURES = [
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
]
const DIGESTS = ['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512']

/** Attributes that a signature may refer to. */
const IDS = ['ID', 'Id', 'id']

/**
 * Checks the form of a message before its signatures are verified, so that a signature cannot be that of another element
 * than the one that is read: one assertion at most, in its place, signatures only directly in the message or in the
 * assertion, no two elements with the same ID. Throws for anything else.
 */
export function checkEnvelope(message: XmlElement): void {
  const assertions = assertionsOf(message)
  const signed = [message, ...assertions]
  const ids = new Set<string>()
  for (const element of everyElement(message)) {
    if (isElement(element, 'assertion', 'Assertion', 'EncryptedAssertion') && !signed.includes(element)) {
      throw new Error('There is an assertion inside another element')
    }
    if (isElement(element, 'protocol', 'Response', 'LogoutRequest') && element !== message) {
      throw new Error('There is a message inside another element')
    }
    for (const signature of element.children.filter((child) => isElement(child, 'signature', 'Signature'))) {
      if (!signed.includes(element)) throw new Error('There is a signature inside another element')
      checkSignature(signature)
    }
    for (const name of IDS) {
      const id = element.attributes.get(name)
      if (id === undefined) continue
      if (ids.has(id)) throw new Error(`Two elements have the ID ${id}`)
      ids.add(id)
    }
  }
}

function assertionsOf(message: XmlElement): XmlElement[] {
  const assertions = message.children.filter((child) =>
    isElement(child, 'assertion', 'Assertion', 'EncryptedAssertion'),
  )
  if (assertions.length > 1) throw new Error('There are several assertions')
  return assertions
}

/** Throws for a signature with an algorithm that is not allowed, or with content of its own. */
function checkSignature(signature: XmlElement): void {
  if (childOf(signature, 'signature', 'Object')) throw new Error('There is an object in a signature')
  const info = neededChild(signature, 'signature', 'SignedInfo')
  const reference = neededChild(info, 'signature', 'Reference')
  allow(SIGNATURES, neededChild(info, 'signature', 'SignatureMethod'))
  allow(DIGESTS, neededChild(reference, 'signature', 'DigestMethod'))
}

function allow(algorithms: readonly string[], method: XmlElement): void {
  const algorithm = neededAttribute(method, 'Algorithm')
  if (!algorithms.includes(algorithm)) throw new Error(`The algorithm ${algorithm} is not allowed`)
}
