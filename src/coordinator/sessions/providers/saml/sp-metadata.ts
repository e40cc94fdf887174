import { escapeMarkup } from '../../../../lib/escape-markup.js'
import { ENCRYPTIONS } from './decrypt-assertion.js'
import type { SamlAddresses } from './saml-settings.js'
import { NAMESPACES } from './xml-elements.js'

const BINDINGS = 'urn:oasis:names:tc:SAML:2.0:bindings'

interface Described {
  entityId: string
  addresses: Pick<SamlAddresses, 'callback' | 'logout'>
  /** In PEM; undefined without a key. */
  certificate: string | undefined
  /** Undefined: any. */
  nameIdFormat: string | undefined
}

/** The metadata of this instance (SAML Metadata 2.0), which its providers read. */
export function spMetadata({ entityId, addresses, certificate, nameIdFormat }: Described): string {
  const logout = ['HTTP-Redirect', 'HTTP-POST'].map(
    (binding) =>
      `    <SingleLogoutService Binding="${BINDINGS}:${binding}" Location="${escapeMarkup(addresses.logout)}"/>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<EntityDescriptor xmlns="${NAMESPACES.metadata}" xmlns:ds="${NAMESPACES.signature}" entityID="${escapeMarkup(entityId)}">
  <SPSSODescriptor protocolSupportEnumeration="${NAMESPACES.protocol}" AuthnRequestsSigned="${certificate !== undefined}" WantAssertionsSigned="true">
${certificate === undefined ? '' : keysOf(certificate)}${logout.join('\n')}
${nameIdFormat === undefined ? '' : `    <NameIDFormat>${nameIdFormat}</NameIDFormat>\n`}    <AssertionConsumerService Binding="${BINDINGS}:HTTP-POST" Location="${escapeMarkup(addresses.callback)}" index="0" isDefault="true"/>
  </SPSSODescriptor>
</EntityDescriptor>
`
}

/** The key that signs requests and decrypts assertions. */
function keysOf(certificate: string): string {
  const text = certificate.replaceAll(/-----[A-Z ]+-----|\s/g, '')
  const info = `<ds:KeyInfo><ds:X509Data><ds:X509Certificate>${text}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>`
  const methods = ENCRYPTIONS.map((algorithm) => `<EncryptionMethod Algorithm="${algorithm}"/>`)
  return `    <KeyDescriptor use="signing">${info}</KeyDescriptor>
    <KeyDescriptor use="encryption">${info}${methods.join('')}</KeyDescriptor>
`
}
