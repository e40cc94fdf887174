import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { readCoordinatorSettings } from '../../../../src/coordinator/start/config/settings.js'
import { testAtNight } from '../../../support/nightly.js'
import { tempDir } from '../../../support/temp-dir.js'
import { KEYS } from '../../sessions/providers/saml/keys.js'
import { SamlServer } from '../../sessions/providers/saml/saml-server.js'

async function read(text: string) {
  const file = join(await tempDir(), 'coordinator.toml')
  await writeFile(file, text)
  const [provider] = readCoordinatorSettings({ config: file }, {}).signIn.providers
  if (provider?.kind !== 'saml') throw new Error('This is no SAML provider')
  return provider
}

async function fileOf(content: string): Promise<string> {
  const path = join(await tempDir(), 'file')
  await writeFile(path, content)
  return path
}

const certificateOf = (pem: string) => `${pem}\n`

const TABLE = 'sign_in.providers.corp'
const KIND = `[${TABLE}]\nkind = "saml"\n`
const FIXED = `${KIND}idp_entity_id = "https://id.example.com/saml"
idp_sign_on_url = "https://id.example.com/saml/sso"
idp_certificates = """${KEYS.idp.certificate}"""
`

test('a SAML provider needs its entity ID, sign-on and certificates, and trusts little by default', async () => {
  expect(await read(FIXED)).toMatchObject({
    kind: 'saml',
    name: 'corp',
    label: 'corp',
    entityId: undefined,
    idp: {
      kind: 'fixed',
      facts: {
        entityId: 'https://id.example.com/saml',
        signOnUrl: 'https://id.example.com/saml/sso',
        logoutUrl: undefined,
        certificates: [certificateOf(KEYS.idp.certificate)],
      },
    },
    isResponseSigned: false,
    keyPair: undefined,
    nameIdFormat: 'persistent',
    subjectAttribute: undefined,
    emailsVerified: false,
    rules: { newAccounts: false },
  })
})

testAtNight('everything of a SAML provider can be set', async () => {
  const { entityId, metadata, signOnUrl, logoutUrl } = new SamlServer()
  const path = await fileOf(metadata)
  const settings = await read(`${KIND}label = "Corp"
entity_id = "switchyard"
idp_metadata_file = "${path}"
response_signed = true
key_file = "${await fileOf(KEYS.sp.key)}"
certificate_file = "${await fileOf(KEYS.sp.certificate)}"
name_id_format = "email"
subject_attribute = "employeeNumber"
username_attribute = "login, uid"
groups_attribute = ["roles"]
emails_verified = true
`)
  expect(settings).toMatchObject({
    entityId: 'switchyard',
    idp: {
      kind: 'fixed',
      facts: { entityId, signOnUrl, logoutUrl, certificates: [certificateOf(KEYS.idp.certificate)] },
    },
    isResponseSigned: true,
    keyPair: { key: KEYS.sp.key, certificate: certificateOf(KEYS.sp.certificate) },
    nameIdFormat: 'email',
    subjectAttribute: 'employeeNumber',
    attributes: { username: ['login', 'uid'], groups: ['roles'] },
    emailsVerified: true,
  })
})

test('several certificates may be in one text, in a list, and in a file', async () => {
  const both = [KEYS.idp.certificate, KEYS.other.certificate]
  const expected = { facts: { certificates: both.map(certificateOf) } }
  const base = FIXED.slice(0, FIXED.indexOf('idp_certificates'))
  const plain = both.map((pem) => pem.replaceAll(/-----[A-Z ]+-----|\n/g, ''))
  for (const line of [
    `idp_certificates = """${both.join('\n')}"""`,
    `idp_certificates = ${JSON.stringify(plain)}`,
    `idp_certificates_file = "${await fileOf(both.join('\n'))}"`,
  ]) {
    expect((await read(base + line)).idp).toMatchObject(expected)
  }
})

test('the metadata may be at an address, which is asked later', async () => {
  const settings = await read(`${KIND}idp_metadata_url = "https://id.example.com/metadata"`)
  expect(settings.idp).toEqual({
    kind: 'metadata',
    url: 'https://id.example.com/metadata',
    entityId: undefined,
  })
})

describe('each problem of a SAML provider names its key and the remedy:', () => {
  const weak = KEYS.idp.certificate.replace('MII', 'AAA')
  test.each([
    [KIND, `${TABLE}.idp_entity_id: is required; or idp_metadata_url, or idp_metadata_file`],
    [KIND, `${TABLE}.idp_sign_on_url: is required`],
    [KIND, `${TABLE}.idp_certificates: is required`],
    [`${FIXED}idp_metadata_url = "https://id.example.com/"`, `${TABLE}.idp_sign_on_url: leave it out`],
    [
      `${KIND}idp_metadata_url = "id.example.com"`,
      `${TABLE}.idp_metadata_url in the settings file: must be a URL`,
    ],
    [
      `${KIND}idp_metadata_file = "/dev/null"`,
      `${TABLE}.idp_metadata_file in the settings file: must be a file with the metadata of the provider; /dev/null is empty`,
    ],
    [
      `${KIND}idp_metadata_file = "package.json"`,
      `${TABLE}.idp_metadata_file in the settings file: must be a file with the metadata of the provider: `,
    ],
    [
      FIXED.replace(KEYS.idp.certificate, weak),
      `${TABLE}.idp_certificates in the settings file: must be certificates: not a certificate in PEM or base64`,
    ],
    [
      `${FIXED}idp_certificates_file = "/dev/null"`,
      `${TABLE}.idp_certificates_file: leave out either this or`,
    ],
    [`${FIXED}key = "x"`, `${TABLE}.certificate_file: is required`],
    [`${FIXED}certificate_file = "/none"`, `${TABLE}.key_file: is required`],
    [
      `${FIXED}name_id_format = "transient"`,
      `${TABLE}.name_id_format in the settings file: must be one of persistent`,
    ],
    [`${FIXED}issuer = "x"`, `${TABLE}.issuer in the settings file: unknown setting`],
  ])('%#', async (text, message) => {
    await expect(read(text)).rejects.toThrow(message)
  })

  test('the key is that of the certificate, and both are RSA', async () => {
    const [key, certificate] = [await fileOf(KEYS.other.key), await fileOf(KEYS.sp.certificate)]
    await expect(read(`${FIXED}key_file = "${key}"\ncertificate_file = "${certificate}"`)).rejects.toThrow(
      `${TABLE}.key_file: not the key of the certificate`,
    )
  })
})

test('the SAML provider of the example is valid', async () => {
  const example = await readFile('config/coordinator.toml.example', 'utf8')
  const lines = example.slice(example.indexOf('#   [sign_in.providers.office]')).split('\n\n')[0] ?? ''
  expect(await read(lines.replaceAll(/^# {3}/gm, ''))).toMatchObject({ name: 'office', kind: 'saml' })
})
