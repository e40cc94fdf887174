import { randomBytes } from 'node:crypto'

import type * as NodeSaml from '@node-saml/node-saml'

import { describeRules } from '../describe-rules.js'
import type { ProviderRules, SamlSettings } from '../provider-settings.js'
import {
  type BegunSignIn,
  type EndedAtProvider,
  type IdentityProvider,
  type ProvenIdentity,
  ProviderError,
} from '../provider.js'
import { checkEnvelope } from './check-envelope.js'
import { decryptAssertion } from './decrypt-assertion.js'
import { IdpSource } from './idp-source.js'
import type { ProvenSignIn, ProvenSignIns } from './proven-sign-ins.js'
import { CLOCK_TOLERANCE, readAssertion, type ReadAssertion, SubjectError } from './read-assertion.js'
import { type LogoutRequest, readLogoutRequest, type SignedQuery } from './read-logout-request.js'
import { checkResponse } from './read-response.js'
import { type IdpFacts, NAME_ID_FORMATS, type SamlAddresses } from './saml-settings.js'
import { spMetadata } from './sp-metadata.js'
import { childOf, readXml } from './xml-elements.js'

/** A response with an identity, as it arrived. */
export interface ReceivedResponse extends ProvenSignIn, Pick<ReadAssertion, 'id' | 'expiresAt'> {}

/**
 * Signs in by SAML 2.0 (Web Browser SSO, the request by HTTP-Redirect and the response by HTTP-POST). `node-saml` makes
 * requests and verifies signatures; what an assertion says is read from the text that its signature covers. The assertion
 * is always signed, with SHA-2.
 *
 * The response arrives without the cookie of the browser, so `receive` proves the identity and `finish` gives it to the
 * browser that has sent the request.
 */
export class SamlProvider implements IdentityProvider {
  readonly name: string
  readonly label: string
  readonly rules: ProviderRules
  private readonly entityId: string
  private readonly idp: IdpSource

  constructor(
    private readonly settings: SamlSettings,
    private readonly addresses: SamlAddresses,
    private readonly proven: ProvenSignIns,
  ) {
    this.name = settings.name
    this.label = settings.label
    this.rules = settings.rules
    this.entityId = settings.entityId ?? addresses.metadata
    this.idp = new IdpSource(settings.idp)
  }

  describe(): [name: string, value: string][] {
    const { idp, isResponseSigned, keyPair, subjectAttribute, nameIdFormat, emailsVerified } = this.settings
    const source: [string, string][] =
      idp.kind === 'metadata'
        ? [['Metadata of the provider', idp.url]]
        : [
            ['Provider', idp.facts.entityId],
            ['Sign-on', idp.facts.signOnUrl],
          ]
    return [
      ['Entity ID', this.entityId],
      ['Metadata', this.addresses.metadata],
      ['Single logout', this.addresses.logout],
      ...source,
      ['Signed', isResponseSigned ? 'assertion and response' : 'assertion'],
      ['Key', keyPair ? 'signs requests and decrypts assertions' : 'none'],
      ['ID of users', subjectAttribute ?? `NameID, ${nameIdFormat}`],
      ['Addresses are verified', emailsVerified ? 'yes' : 'no'],
      ...describeRules(this.rules),
    ]
  }

  async begin({ asksAgain }: { asksAgain: boolean }): Promise<BegunSignIn> {
    const state = `_${randomBytes(20).toString('hex')}`
    const client = await this.client(await this.facts(), {
      forceAuthn: asksAgain,
      generateUniqueId: () => state,
    })
    return { url: new URL(await client.getAuthorizeUrlAsync('', undefined, {})), state, kept: {} }
  }

  /** The identity of a response that was verified by `receive`, if it is for this request. */
  async finish(url: URL, { state }: Pick<BegunSignIn, 'state' | 'kept'>): Promise<ProvenIdentity> {
    const found = await this.proven.use(this.name, url.searchParams.get('proof') ?? '')
    if (found?.inResponseTo === state) return found.identity
    throw this.invalid(new Error('The response is unknown, was used before, or is for another request'))
  }

  readLogout(): Promise<EndedAtProvider> {
    const message = `The provider ends sessions at ${this.addresses.logout}`
    return Promise.reject(new ProviderError('invalid', message, undefined))
  }

  /** Verifies a response, in base64. Throws `ProviderError`. */
  async receive(message: string): Promise<ReceivedResponse> {
    return this.withFacts(async (facts) => {
      const response = readXml(Buffer.from(message, 'base64').toString())
      checkEnvelope(response)
      const inResponseTo = checkResponse(response, {
        issuer: facts.entityId,
        destination: this.addresses.callback,
        label: this.label,
      })
      const encrypted = childOf(response, 'assertion', 'EncryptedAssertion')
      if (encrypted) checkEnvelope(decryptAssertion(encrypted, this.key))
      const client = await this.client(facts)
      const { profile } = await client.validatePostResponseAsync({ SAMLResponse: message })
      const expected = {
        issuer: facts.entityId,
        audience: this.entityId,
        recipient: this.addresses.callback,
        inResponseTo,
      }
      return {
        inResponseTo,
        ...readAssertion(readXml(profile?.getAssertionXml?.() ?? ''), expected, this.settings),
      }
    })
  }

  /** A logout request of a form, in base64. Throws `ProviderError`. */
  async receiveLogout(message: string): Promise<LogoutRequest> {
    return this.withFacts(async (facts) => {
      const request = readXml(Buffer.from(message, 'base64').toString())
      checkEnvelope(request)
      await (await this.client(facts)).validatePostRequestAsync({ SAMLRequest: message })
      return readLogoutRequest(request, { issuer: facts.entityId, destination: this.addresses.logout })
    })
  }

  /** A logout request of a query. Throws `ProviderError`. */
  async receiveLogoutQuery(read: () => SignedQuery): Promise<LogoutRequest> {
    return this.withFacts((facts) => {
      const { xml, isSignedBy } = read()
      if (!facts.certificates.some(isSignedBy)) throw new Error('The signature of the query is not right')
      const expected = { issuer: facts.entityId, destination: this.addresses.logout }
      return Promise.resolve(readLogoutRequest(readXml(xml), expected))
    })
  }

  /** What `NameID` says of the session here; undefined if it is not the subject. */
  subjectOf({ nameId }: LogoutRequest): string | undefined {
    return this.settings.subjectAttribute === undefined ? nameId : undefined
  }

  /** Where the browser goes after a logout request; undefined if the provider wants no response. */
  async logoutResponseUrl({ id }: LogoutRequest, relayState: string): Promise<URL | undefined> {
    const facts = await this.facts()
    if (facts.logoutUrl === undefined) return undefined
    const client = await this.client(facts)
    const request = { ID: id, issuer: facts.entityId, nameID: '', nameIDFormat: '' }
    return new URL(await client.getLogoutResponseUrlAsync(request, relayState, {}, true))
  }

  /** The metadata of this instance for the provider, in XML. */
  metadata(): string {
    return spMetadata({
      entityId: this.entityId,
      addresses: this.addresses,
      certificate: this.settings.keyPair?.certificate,
      nameIdFormat: this.nameIdFormat,
    })
  }

  /** Undefined: any format. */
  private get nameIdFormat(): string | undefined {
    const { subjectAttribute, nameIdFormat } = this.settings
    return subjectAttribute === undefined ? NAME_ID_FORMATS[nameIdFormat] : undefined
  }

  private get key(): string {
    const { keyPair } = this.settings
    if (!keyPair) throw new Error('The assertion is encrypted: set key_file and certificate_file')
    return keyPair.key
  }

  private async client(
    { entityId, signOnUrl, logoutUrl, certificates }: IdpFacts,
    options: Partial<NodeSaml.SamlConfig> = {},
  ): Promise<NodeSaml.SAML> {
    const { keyPair, isResponseSigned } = this.settings
    const { SAML, ValidateInResponseTo } = await loadNodeSaml()
    return new SAML({
      issuer: this.entityId,
      audience: this.entityId,
      callbackUrl: this.addresses.callback,
      entryPoint: signOnUrl,
      ...(logoutUrl !== undefined && { logoutUrl }),
      idpIssuer: entityId,
      idpCert: [...certificates],
      identifierFormat: this.nameIdFormat ?? null,
      disableRequestedAuthnContext: true,
      wantAssertionsSigned: true,
      wantAuthnResponseSigned: isResponseSigned,
      // `finish` compares it with the attempt of the browser.
      validateInResponseTo: ValidateInResponseTo.never,
      acceptedClockSkewMs: CLOCK_TOLERANCE,
      signatureAlgorithm: 'sha256',
      digestAlgorithm: 'sha256',
      ...(keyPair && { privateKey: keyPair.key, decryptionPvk: keyPair.key }),
      ...options,
    })
  }

  /** Reads a message; once more with other certificates, if the provider has replaced them. Throws `ProviderError`. */
  private async withFacts<T>(read: (facts: IdpFacts) => Promise<T>): Promise<T> {
    const facts = await this.facts()
    try {
      return await read(facts)
    } catch (error) {
      if (error instanceof ProviderError) throw error
      const fresh = error instanceof SubjectError ? undefined : await this.idp.refreshed()
      if (!fresh) throw this.invalid(error)
      return read(fresh).catch((second: unknown) => {
        throw this.invalid(second)
      })
    }
  }

  private async facts(): Promise<IdpFacts> {
    try {
      return await this.idp.current()
    } catch (error) {
      const text = `${this.label} is not reachable at the moment. Try again later, or sign in in another way.`
      throw new ProviderError('unreachable', text, error)
    }
  }

  private invalid(error: unknown): ProviderError {
    if (error instanceof ProviderError) return error
    const text =
      error instanceof SubjectError
        ? `${this.label} does not say permanently who you are. Ask an administrator. ${error.message}.`
        : `The response of ${this.label} is not valid. Try again; if it stays so, ask an administrator.`
    return new ProviderError('invalid', text, error)
  }
}

/** Loaded at the first sign-in: most coordinators have no such provider. */
function loadNodeSaml(): Promise<typeof NodeSaml> {
  return import('@node-saml/node-saml')
}
