import { createHmac, createSign } from 'node:crypto'

import { KEYS } from '../../coordinator/sessions/providers/saml/keys.js'

// Ways to change a signed message, as text. `ATTACKED` is whom the forger wants to be.

export const ATTACKED = 'root-at-corp'

/** A change of a message in XML. */
export type Forge = (xml: string) => string

const RESPONSE = /^(<samlp:Response[^>]*>)([\s\S]*)(<\/samlp:Response>)$/
const ASSERTION = /<saml:Assertion[\s\S]*<\/saml:Assertion>/
const SIGNATURE = /<ds:Signature[\s\S]*?<\/ds:Signature>/

const part = (xml: string, pattern: RegExp): string => pattern.exec(xml)?.[0] ?? ''

/** The assertion of a message as the forger wants it, with another ID and the same signature. */
function forgedAssertion(xml: string): string {
  return part(xml, ASSERTION)
    .replace(/ID="[^"]+"/, 'ID="_forged"')
    .replace('mary-at-corp', ATTACKED)
}

const without = (xml: string, pattern: RegExp) => xml.replace(pattern, '')

/** Puts more into the signature of an element. */
const intoSignature = (xml: string, more: string) =>
  xml.replace('</ds:Signature>', () => `${more}</ds:Signature>`)

/** A message around the forged assertion: its signature, and the original response somewhere. */
function forgedResponse(xml: string, place: (signature: string, original: string) => string): string {
  const [, open = '', , close = ''] = RESPONSE.exec(xml) ?? []
  const signature = part(xml, SIGNATURE)
  const original = without(xml, SIGNATURE)
  const inner = without(forgedAssertion(xml), SIGNATURE)
  const head = part(xml, /<saml:Issuer>[^<]*<\/saml:Issuer>/)
  const status = part(xml, /<samlp:Status>[\s\S]*<\/samlp:Status>/)
  return `${open.replace(/ ID="[^"]+"/, ' ID="_forged-response"')}${head}${place(signature, original)}${status}${inner}${close}`
}

/** Forms of signature wrapping ("On Breaking SAML", 2012): two about a signed response, six about a signed assertion. */
export const RESPONSE_WRAPPINGS: Record<string, Forge> = {
  'the signed response inside the signature of another one': (xml) =>
    forgedResponse(xml, (signature, original) => intoSignature(signature, original)),
  'the signed response before its signature in another one': (xml) =>
    forgedResponse(xml, (signature, original) => original + signature),
}

export const ASSERTION_WRAPPINGS: Record<string, Forge> = {
  'another assertion before the signed one': (xml) =>
    xml.replace(ASSERTION, (signed) => without(forgedAssertion(xml), SIGNATURE) + signed),
  'another assertion around the signed one': (xml) =>
    xml.replace(ASSERTION, (signed) =>
      without(forgedAssertion(xml), SIGNATURE).replace(
        '</saml:Assertion>',
        () => `${signed}</saml:Assertion>`,
      ),
    ),
  'the signature in another assertion, the signed one behind it': (xml) =>
    xml.replace(ASSERTION, (signed) => forgedAssertion(xml) + without(signed, SIGNATURE)),
  'the signed assertion inside the signature of another one': (xml) =>
    xml.replace(ASSERTION, (signed) => intoSignature(forgedAssertion(xml), without(signed, SIGNATURE))),
  'another assertion in the extensions of the response': (xml) =>
    xml.replace(
      '<samlp:Status>',
      () => `<samlp:Extensions>${without(forgedAssertion(xml), SIGNATURE)}</samlp:Extensions><samlp:Status>`,
    ),
  'the signed assertion as an object in the signature of another one': (xml) =>
    xml.replace(ASSERTION, (signed) =>
      intoSignature(forgedAssertion(xml), `<ds:Object>${without(signed, SIGNATURE)}</ds:Object>`),
    ),
}

/** Signs a message again with another algorithm. */
export function signAgain(xml: string, algorithm: string, sign: (text: string) => string): string {
  const changed = xml.replace(/(<ds:SignatureMethod Algorithm=")[^"]+/, `$1${algorithm}`)
  // As exclusive canonicalization writes it.
  const info = part(changed, /<ds:SignedInfo>[\s\S]*<\/ds:SignedInfo>/)
    .replace('<ds:SignedInfo>', '<ds:SignedInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#">')
    .replaceAll(/<([\w:]+)([^<>]*)\/>/g, '<$1$2></$1>')
  return changed.replace(/(<ds:SignatureValue>)[^<]+/, (_, tag: string) => tag + sign(info))
}

export const byKey =
  (hash: string) =>
  (text: string): string =>
    createSign(hash).update(text).sign(KEYS.idp.key, 'base64')

/** The certificate is public, so anybody can make such a signature. */
export const byCertificate =
  (hash: string) =>
  (text: string): string =>
    createHmac(hash, KEYS.idp.certificate).update(text).digest('base64')

export const withoutSignature: Forge = (xml) => without(xml, SIGNATURE)

export const asAttacked: Forge = (xml) => xml.replace('mary-at-corp', ATTACKED)

/** Puts a document type before the message, with an entity that the NameID names. */
export const withEntity =
  (definition: string): Forge =>
  (xml) =>
    `<!DOCTYPE samlp:Response [${definition}]>${xml.replace('mary-at-corp', '&entity;')}`

/** Entities that would be a thousand million texts. */
export const ENTITY_BOMB = [
  '<!ENTITY a0 "bomb">',
  ...Array.from({ length: 9 }, (_, index) => `<!ENTITY a${index + 1} "${`&a${index};`.repeat(10)}">`),
  '<!ENTITY entity "&a9;">',
].join('')
