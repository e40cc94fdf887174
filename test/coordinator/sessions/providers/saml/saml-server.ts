import { randomUUID } from 'node:crypto'

import { escapeMarkup } from '../../../../../src/lib/escape-markup.js'
import { KEYS } from './keys.js'
import { samlify, type SamlifyProvider, type SamlifyService } from './samlify.js'

const BINDINGS = 'urn:oasis:names:tc:SAML:2.0:bindings:'
const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
const PASSWORD_CONTEXT = 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport'
export const RSA_SHA1 = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'
export const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'

const MINUTE = 60_000

/** What the server says of its user. */
export interface SamlUser {
  nameId: string
  format?: string
  sessionIndex?: string
  /** In milliseconds since 1970. */
  authenticatedAt?: number
  context?: string
  attributes?: Record<string, string | string[]>
}

/** What a response says; a test changes one of them. */
export interface ResponseFacts {
  assertionId: string
  issuer: string
  destination: string
  recipient: string
  audience: string
  /** Undefined: nobody has asked. */
  inResponseTo: string | undefined
  /** In milliseconds since 1970. */
  notBefore: number
  notOnOrAfter: number
  status: string
  user: SamlUser
}

interface ServerOptions {
  entityId?: string
  keys?: { key: string; certificate: string }
  algorithm?: string
  encrypts?: boolean
  signsMessages?: boolean
  wantsSignedRequests?: boolean
}

/** A SAML 2.0 provider (samlify) at which `user` is signed in without a question. The test carries its messages. */
export class SamlServer {
  user: SamlUser = { nameId: 'mary-at-corp' }
  readonly entityId: string
  readonly signOnUrl: string
  readonly logoutUrl: string
  private readonly idp: SamlifyProvider

  constructor(private readonly options: ServerOptions = {}) {
    const { entityId = 'https://idp.example/saml', keys = KEYS.idp, algorithm = RSA_SHA256 } = options
    this.entityId = entityId
    this.signOnUrl = `${entityId}/sso`
    this.logoutUrl = `${entityId}/slo`
    this.idp = samlify.IdentityProvider({
      entityID: entityId,
      privateKey: keys.key,
      signingCert: keys.certificate,
      requestSignatureAlgorithm: algorithm,
      wantAuthnRequestsSigned: options.wantsSignedRequests ?? false,
      isAssertionEncrypted: options.encrypts ?? false,
      singleSignOnService: [{ Binding: `${BINDINGS}HTTP-Redirect`, Location: this.signOnUrl }],
      singleLogoutService: [{ Binding: `${BINDINGS}HTTP-Redirect`, Location: this.logoutUrl }],
      nameIDFormat: [PERSISTENT],
    })
  }

  get metadata(): string {
    return this.idp.getMetadata()
  }

  /** The ID of the request at an address to which a page leads the browser. `service`: metadata of this instance. */
  async readRequest(service: string, url: string): Promise<{ id: string; xml: string }> {
    const query = Object.fromEntries(new URL(url).searchParams)
    const octetString = new URL(url).search.slice(1).replace(/&Signature=.*$/, '')
    const { extract, samlContent } = await this.idp.parseLoginRequest(this.serviceOf(service), 'redirect', {
      query,
      octetString,
    })
    return { id: extract.request.id, xml: samlContent }
  }

  /** A response to the request with this ID, in base64. */
  async respond(
    service: string,
    inResponseTo: string | undefined,
    changes: Partial<ResponseFacts> = {},
  ): Promise<string> {
    const sp = this.serviceOf(service)
    const acs = sp.entityMeta.getAssertionConsumerService('post')
    const context = responseXml({
      assertionId: `_${randomUUID()}`,
      issuer: this.entityId,
      destination: acs,
      recipient: acs,
      audience: sp.entityMeta.getEntityID(),
      inResponseTo,
      notBefore: Date.now() - MINUTE,
      notOnOrAfter: Date.now() + 5 * MINUTE,
      status: 'Success',
      user: this.user,
      ...changes,
    })
    const made = await this.idp.createLoginResponse(
      sp,
      { extract: {} },
      'post',
      {},
      {
        customTagReplacement: () => ({ id: '', context }),
      },
    )
    return made.context
  }

  /** A logout request: the query of an address, or a form. */
  logout(
    service: string,
    binding: 'redirect' | 'post',
    { nameId, sessionIndex }: Pick<SamlUser, 'nameId' | 'sessionIndex'>,
    change: (xml: string) => string = (xml) => xml,
  ): string {
    const sp = this.serviceOf(service)
    const destination = sp.entityMeta.getSingleLogoutService(binding)
    const xml = change(
      `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_${randomUUID()}" Version="2.0" IssueInstant="${new Date().toISOString()}" Destination="${destination}"><saml:Issuer>${this.entityId}</saml:Issuer><saml:NameID Format="${PERSISTENT}">${nameId}</saml:NameID>${sessionIndex === undefined ? '' : `<samlp:SessionIndex>${sessionIndex}</samlp:SessionIndex>`}</samlp:LogoutRequest>`,
    )
    const made = this.idp.createLogoutRequest(
      sp,
      binding,
      { logoutNameID: nameId },
      {
        relayState: 'of the provider',
        customTagReplacement: () => ({ id: '', context: xml }),
      },
    )
    return made.context
  }

  private serviceOf(metadata: string): SamlifyService {
    return samlify.ServiceProvider({
      metadata,
      wantMessageSigned: this.options.signsMessages ?? false,
      wantLogoutRequestSigned: true,
    })
  }
}

function responseXml(facts: ResponseFacts): string {
  const { user, issuer, recipient } = facts
  const now = new Date().toISOString()
  const inResponseTo = facts.inResponseTo === undefined ? '' : ` InResponseTo="${facts.inResponseTo}"`
  const until = new Date(facts.notOnOrAfter).toISOString()
  const authenticatedAt = new Date(user.authenticatedAt ?? Date.now()).toISOString()
  const session = user.sessionIndex === undefined ? '' : ` SessionIndex="${user.sessionIndex}"`
  const assertion = `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${facts.assertionId}" Version="2.0" IssueInstant="${now}"><saml:Issuer>${issuer}</saml:Issuer><saml:Subject><saml:NameID Format="${user.format ?? PERSISTENT}">${escapeMarkup(user.nameId)}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${until}" Recipient="${recipient}"${inResponseTo}/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${new Date(facts.notBefore).toISOString()}" NotOnOrAfter="${until}"><saml:AudienceRestriction><saml:Audience>${facts.audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${authenticatedAt}"${session}><saml:AuthnContext><saml:AuthnContextClassRef>${user.context ?? PASSWORD_CONTEXT}</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>${attributesXml(user)}</saml:Assertion>`
  return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_${randomUUID()}" Version="2.0" IssueInstant="${now}" Destination="${facts.destination}"${inResponseTo}><saml:Issuer>${issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${facts.status}"/></samlp:Status>${assertion}</samlp:Response>`
}

function attributesXml({ attributes = {} }: SamlUser): string {
  const entries = Object.entries(attributes)
  if (entries.length === 0) return ''
  const texts = entries.map(([name, values]) => {
    const all = [values]
      .flat()
      .map((value) => `<saml:AttributeValue>${escapeMarkup(value)}</saml:AttributeValue>`)
    return `<saml:Attribute Name="${escapeMarkup(name)}">${all.join('')}</saml:Attribute>`
  })
  return `<saml:AttributeStatement>${texts.join('')}</saml:AttributeStatement>`
}
