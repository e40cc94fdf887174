import { normalCertificate } from './certificates.js'
import type { IdpFacts } from './saml-settings.js'
import {
  childrenOf,
  everyElement,
  isElement,
  neededAttribute,
  readXml,
  timeOf,
  type XmlElement,
} from './xml-elements.js'

const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
const SAML = 'urn:oasis:names:tc:SAML:2.0:protocol'

/** Reads the metadata of a provider (SAML Metadata 2.0). Throws what is wrong with them, for administrators. */
export function readIdpMetadata(xml: string, wanted: string | undefined): IdpFacts {
  const descriptors = [...everyElement(readXml(xml))].filter((element) =>
    isElement(element, 'metadata', 'EntityDescriptor'),
  )
  const found = descriptors
    .map((entity) => ({ entity, idp: identityProviderIn(entity) }))
    .filter(({ entity }) => wanted === undefined || entity.attributes.get('entityID') === wanted)
    .flatMap(({ entity, idp }) => (idp ? [{ entity, idp }] : []))
  const [first, second] = found
  if (!first)
    throw new Error(`the metadata contain no identity provider${wanted === undefined ? '' : ` ${wanted}`}`)
  if (second) throw new Error('the metadata contain several identity providers: set idp_entity_id')
  const { entity, idp } = first
  for (const element of [entity, idp]) {
    if ((timeOf(element, 'validUntil') ?? Infinity) <= Date.now())
      throw new Error('the metadata have expired')
  }
  return {
    entityId: neededAttribute(entity, 'entityID'),
    signOnUrl: signOnUrlOf(idp),
    logoutUrl: addressOf(idp, 'SingleLogoutService', ['ResponseLocation', 'Location']),
    certificates: certificatesOf(idp),
  }
}

function identityProviderIn(entity: XmlElement): XmlElement | undefined {
  return childrenOf(entity, 'metadata', 'IDPSSODescriptor').find((idp) =>
    neededAttribute(idp, 'protocolSupportEnumeration').split(/\s+/).includes(SAML),
  )
}

function signOnUrlOf(idp: XmlElement): string {
  const url = addressOf(idp, 'SingleSignOnService', ['Location'])
  if (url === undefined) throw new Error('the metadata contain no sign-on with the binding HTTP-Redirect')
  return url
}

/** The address of a service with the binding HTTP-Redirect, in the first of the attributes that it has. */
function addressOf(idp: XmlElement, service: string, attributes: readonly string[]): string | undefined {
  const found = childrenOf(idp, 'metadata', service).find(
    ({ attributes: of }) => of.get('Binding') === REDIRECT,
  )
  const url = attributes.map((name) => found?.attributes.get(name)).find((value) => value !== undefined)
  if (url !== undefined && !(URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))) {
    throw new Error(`the address of ${service} in the metadata is not a URL`)
  }
  return url
}

/** Of the keys that sign. */
function certificatesOf(idp: XmlElement): string[] {
  const texts = childrenOf(idp, 'metadata', 'KeyDescriptor')
    .filter(({ attributes }) => attributes.get('use') !== 'encryption')
    .flatMap((key) => [...everyElement(key)])
    .filter((element) => isElement(element, 'signature', 'X509Certificate'))
    .map(({ text }) => text)
  if (texts.length === 0) throw new Error('the metadata contain no certificate for signatures')
  return [...new Set(texts.map(normalCertificate))]
}
