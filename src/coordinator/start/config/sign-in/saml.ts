import { messageOf } from '../../../../lib/errors.js'
import type { SamlSettings } from '../../../sessions/providers/provider-settings.js'
import { checkKeyPair, readCertificates } from '../../../sessions/providers/saml/certificates.js'
import { readIdpMetadata } from '../../../sessions/providers/saml/idp-metadata.js'
import {
  type AttributeNames,
  type IdpFacts,
  type IdpSettings,
  type KeyPair,
  NAME_ID_FORMATS,
  type NameIdFormat,
} from '../../../sessions/providers/saml/saml-settings.js'
import { readFlag, readText } from '../readers.js'
import type { ReadSetting, SettingSources } from '../setting-sources.js'
import { readList, readSecret, readTextFile, required } from './provider-readers.js'
import { readRules } from './rules.js'

const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'
const MICROSOFT = 'http://schemas.microsoft.com'

/** The names of common providers: plain ones, those of LDAP (RFC 4524, RFC 2798) and of AD FS and Entra ID. */
const ATTRIBUTES: AttributeNames = {
  username: ['username', 'uid', 'urn:oid:0.9.2342.19200300.100.1.1', `${CLAIMS}/upn`, `${CLAIMS}/name`],
  name: [
    'name',
    'displayName',
    'urn:oid:2.16.840.1.113730.3.1.241',
    `${MICROSOFT}/identity/claims/displayname`,
  ],
  givenName: ['givenName', 'firstName', 'urn:oid:2.5.4.42', `${CLAIMS}/givenname`],
  surname: ['sn', 'lastName', 'urn:oid:2.5.4.4', `${CLAIMS}/surname`],
  email: ['email', 'mail', 'urn:oid:0.9.2342.19200300.100.1.3', `${CLAIMS}/emailaddress`],
  groups: [
    'groups',
    'memberOf',
    `${MICROSOFT}/ws/2008/06/identity/claims/groups`,
    'http://schemas.xmlsoap.org/claims/Group',
  ],
}

/** A table of the kind `saml`; undefined after a refused key. */
export function readSaml(sources: SettingSources, table: string, name: string): SamlSettings | undefined {
  const names = (key: string, fallback: readonly string[]) =>
    sources.read(`${table}.${key}_attribute`, readList('names of attributes'), fallback)
  const idp = readIdp(sources, table)
  const settings = {
    kind: 'saml' as const,
    name,
    label: sources.read(`${table}.label`, readText, name),
    entityId: sources.read(`${table}.entity_id`, readText, undefined),
    isResponseSigned: sources.read(`${table}.response_signed`, readFlag, false),
    keyPair: readKeyPair(sources, table),
    nameIdFormat: sources.read(`${table}.name_id_format`, readFormat, 'persistent'),
    subjectAttribute: sources.read(`${table}.subject_attribute`, readText, undefined),
    attributes: {
      ...ATTRIBUTES,
      username: names('username', ATTRIBUTES.username),
      name: names('name', ATTRIBUTES.name),
      email: names('email', ATTRIBUTES.email),
      groups: names('groups', ATTRIBUTES.groups),
    },
    emailsVerified: sources.read(`${table}.emails_verified`, readFlag, false),
    rules: readRules(sources, table),
  }
  return idp && { ...settings, idp }
}

/** The provider by one of its two forms of metadata, or by keys of its own. */
function readIdp(sources: SettingSources, table: string): IdpSettings | undefined {
  const entityId = sources.read(`${table}.idp_entity_id`, readText, undefined)
  const url = sources.read(`${table}.idp_metadata_url`, readUrl, undefined)
  const metadata = sources.read(
    `${table}.idp_metadata_file`,
    (raw) => readMetadata(readTextFile('the metadata of the provider')(raw), entityId),
    undefined,
  )
  const isByUrl = sources.has(`${table}.idp_metadata_url`)
  const isByFile = sources.has(`${table}.idp_metadata_file`)
  if (isByUrl && isByFile) {
    sources.refuse(`${table}.idp_metadata_file: leave out either this or ${table}.idp_metadata_url`)
  }
  const own = readOwnKeys(sources, table, { isNeeded: !isByUrl && !isByFile })
  if (isByUrl) return url === undefined ? undefined : { kind: 'metadata', url, entityId }
  if (isByFile) return metadata && { kind: 'fixed', facts: metadata }
  if (entityId === undefined || !own) return undefined
  return { kind: 'fixed', facts: { entityId, ...own } }
}

/** The keys that metadata replace. */
function readOwnKeys(
  sources: SettingSources,
  table: string,
  { isNeeded }: { isNeeded: boolean },
): Omit<IdpFacts, 'entityId'> | undefined {
  const signOnUrl = sources.read(`${table}.idp_sign_on_url`, readUrl, undefined)
  const logoutUrl = sources.read(`${table}.idp_logout_url`, readUrl, undefined)
  const certificates =
    sources.read(`${table}.idp_certificates`, readCertificateTexts, undefined) ??
    sources.read(`${table}.idp_certificates_file`, readCertificateFile, undefined)
  const hasCertificates = ['idp_certificates', 'idp_certificates_file'].map((key) =>
    sources.has(`${table}.${key}`),
  )
  if (hasCertificates.every(Boolean)) {
    sources.refuse(`${table}.idp_certificates_file: leave out either this or ${table}.idp_certificates`)
  }
  if (!isNeeded) {
    for (const key of ['idp_sign_on_url', 'idp_logout_url', 'idp_certificates', 'idp_certificates_file']) {
      if (sources.has(`${table}.${key}`))
        sources.refuse(`${table}.${key}: leave it out: the metadata contain it`)
    }
    return undefined
  }
  required(sources, `${table}.idp_entity_id`, readText, 'or idp_metadata_url, or idp_metadata_file')
  required(sources, `${table}.idp_sign_on_url`, readText, 'where users sign in at the provider')
  if (!hasCertificates.some(Boolean)) {
    sources.refuse(
      `${table}.idp_certificates: is required; the certificates of the provider, or idp_certificates_file`,
    )
  }
  return signOnUrl === undefined || !certificates ? undefined : { signOnUrl, logoutUrl, certificates }
}

function readMetadata(xml: string, entityId: string | undefined): IdpFacts {
  try {
    return readIdpMetadata(xml, entityId)
  } catch (error) {
    throw new Error(`must be a file with the metadata of the provider: ${messageOf(error)}`, { cause: error })
  }
}

const readCertificateTexts: ReadSetting<string[]> = (raw) => {
  const texts: unknown[] = Array.isArray(raw) ? raw : [raw]
  return [...new Set(texts.flatMap((text) => certificatesIn(readText(text))))]
}

const readCertificateFile: ReadSetting<string[]> = (raw) =>
  certificatesIn(readTextFile('the certificates of the provider')(raw))

function certificatesIn(text: string): string[] {
  try {
    return readCertificates(text)
  } catch (error) {
    throw new Error(`must be certificates: ${messageOf(error)}`, { cause: error })
  }
}

/** `key_file` and `certificate_file` belong together. */
function readKeyPair(sources: SettingSources, table: string): KeyPair | undefined {
  const key = readSecret(sources, table, 'key')
  const certificate = sources.read(`${table}.certificate_file`, readOwnCertificate, undefined)
  const hasCertificate = sources.has(`${table}.certificate_file`)
  if (key !== undefined && !hasCertificate) {
    sources.refuse(`${table}.certificate_file: is required; the certificate of ${table}.key_file`)
  }
  if (key === undefined && hasCertificate && !sources.has(`${table}.key_file`)) {
    sources.refuse(`${table}.key_file: is required; the key of ${table}.certificate_file`)
  }
  if (key === undefined || certificate === undefined) return undefined
  try {
    checkKeyPair(key, certificate)
  } catch (error) {
    sources.refuse(`${table}.key_file: ${messageOf(error)}`)
  }
  return { key, certificate }
}

const readOwnCertificate: ReadSetting<string> = (raw) => {
  const [certificate = '', second] = readCertificateFile(raw)
  if (second !== undefined) throw new Error('must be a file with one certificate')
  return certificate
}

const readUrl: ReadSetting<string> = (raw) => {
  const text = readText(raw)
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol) || new URL(text).username) {
    throw new Error('must be a URL such as https://id.example.com/saml')
  }
  return text
}

const readFormat: ReadSetting<NameIdFormat> = (raw) => {
  if (typeof raw !== 'string' || !isFormat(raw)) {
    throw new Error(`must be one of ${Object.keys(NAME_ID_FORMATS).join(', ')}`)
  }
  return raw
}

function isFormat(text: string): text is NameIdFormat {
  return Object.hasOwn(NAME_ID_FORMATS, text)
}
