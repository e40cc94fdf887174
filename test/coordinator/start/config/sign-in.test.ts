import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { readCoordinatorSettings } from '../../../../src/coordinator/start/config/settings.js'
import { tempDir } from '../../../support/temp-dir.js'

async function read(text: string, environment: Record<string, string> = {}) {
  const file = join(await tempDir(), 'coordinator.toml')
  await writeFile(file, text)
  return readCoordinatorSettings({ config: file }, environment).signIn
}

const CORP = `[sign_in.providers.corp]
kind = "openid"
issuer = "https://id.example.com/realms/corp"
client_id = "switchyard"
`

test('a provider needs its kind, issuer and client, and creates no accounts by default', async () => {
  expect(await read(CORP)).toEqual({
    isAutomatic: false,
    providers: [
      {
        kind: 'openid',
        name: 'corp',
        label: 'corp',
        issuer: 'https://id.example.com/realms/corp',
        clientId: 'switchyard',
        clientSecret: undefined,
        scopes: ['openid', 'profile', 'email'],
        claims: { username: 'preferred_username', name: 'name', email: 'email', groups: 'groups' },
        rules: {
          allowedDomains: [],
          newAccounts: false,
          newAccountsExternal: false,
          newAccountsApproval: true,
          linkByVerifiedEmail: false,
          requiredClaims: new Map(),
          groups: new Map(),
        },
      },
    ],
  })
})

test('everything can be set, and several providers have their own settings', async () => {
  const { isAutomatic, providers } = await read(`${CORP}
label = "Corp"
scopes = "openid email groups"
username_claim = "upn"
allowed_domains = "Example.com, example.org"
new_accounts = true
new_accounts_approval = false
new_accounts_external = true
link_by_verified_email = true
[sign_in.providers.corp.required_claims]
acr = "2, 3"
amr = ["mfa"]
[sign_in.providers.corp.groups]
"CI Developers" = "app:developer, tools/lint:reporter"
"https://id.example.com/leads" = "app:owner"
[sign_in.providers.other]
kind = "openid"
issuer = "http://127.0.0.1:8080/"
client_id = "ci"
`)
  expect(isAutomatic).toBe(false)
  expect(providers.map(({ name }) => name)).toEqual(['corp', 'other'])
  expect(providers[0]).toMatchObject({
    label: 'Corp',
    scopes: ['openid', 'email', 'groups'],
    claims: { username: 'upn', name: 'name' },
    rules: {
      allowedDomains: ['example.com', 'example.org'],
      newAccounts: true,
      newAccountsApproval: false,
      newAccountsExternal: true,
      linkByVerifiedEmail: true,
      requiredClaims: new Map([
        ['acr', ['2', '3']],
        ['amr', ['mfa']],
      ]),
      groups: new Map([
        [
          'CI Developers',
          [
            { path: 'app', accessLevel: 30 },
            { path: 'tools/lint', accessLevel: 20 },
          ],
        ],
        ['https://id.example.com/leads', [{ path: 'app', accessLevel: 50 }]],
      ]),
    },
  })
})

test('the secret is in the file, the environment or a file of its own', async () => {
  const secretOf = async (text: string, environment?: Record<string, string>) =>
    (await read(CORP + text, environment)).providers.map(
      (each) => each.kind === 'openid' && each.clientSecret,
    )[0]
  expect(await secretOf('client_secret = "one"')).toBe('one')
  const variable = { SWITCHYARD_SIGN_IN_PROVIDERS_CORP_CLIENT_SECRET: 'two' }
  expect(await secretOf('client_secret = "one"', variable)).toBe('two')
  const path = join(await tempDir(), 'secret')
  await writeFile(path, 'three\n')
  expect(await secretOf(`client_secret_file = "${path}"`)).toBe('three')
})

test('auto_sign_in is for one provider', async () => {
  expect((await read(`[sign_in]\nauto_sign_in = true\n${CORP}`)).isAutomatic).toBe(true)
  await expect(read('[sign_in]\nauto_sign_in = true')).rejects.toThrow(
    'sign_in.auto_sign_in: needs exactly one table [sign_in.providers.<name>]; there are 0',
  )
})

describe('each problem names its key and the remedy:', () => {
  const TABLE = 'sign_in.providers.corp'
  test.each([
    ['[sign_in.providers.corp]', `${TABLE}.kind: is required; openid`],
    ['[sign_in.providers.corp]', `${TABLE}.issuer: is required; the address of the provider`],
    ['[sign_in.providers.corp]', `${TABLE}.client_id: is required; the ID that the provider has given`],
    [
      '[sign_in.providers.corp]\nkind = "kerberos"',
      `${TABLE}.kind in the settings file: must be one of openid`,
    ],
    [
      '[sign_in.providers."my corp"]',
      'sign_in.providers.my corp: the name must have at most 63 lower-case letters',
    ],
    [`${CORP}label = 1`, `${TABLE}.label in the settings file: must be a text`],
    [`${CORP}unknown = 1`, `${TABLE}.unknown in the settings file: unknown setting`],
    [`${CORP}scopes = "email"`, `${TABLE}.scopes in the settings file: must contain openid`],
    [
      `${CORP}allowed_domains = "@a"`,
      `${TABLE}.allowed_domains in the settings file: must be domains such as example.com`,
    ],
    [
      `${CORP}client_secret_file = "/none"`,
      `${TABLE}.client_secret_file in the settings file: must be a file with the secret: ENOENT`,
    ],
    [
      `${CORP}client_secret = "a"\nclient_secret_file = "/dev/null"`,
      `${TABLE}.client_secret_file: leave out either this or`,
    ],
    [
      `${CORP}[sign_in.providers.corp.groups]\na = "app"`,
      `${TABLE}.groups.a in the settings file: must be groups with roles, such as app:developer; app is none`,
    ],
    [`${CORP}[sign_in.providers.corp.groups]\na = "app:king"`, 'app:king is none'],
    [
      `${CORP}[sign_in.providers.corp.required_claims]\nacr = 2`,
      `${TABLE}.required_claims.acr in the settings file: must be values`,
    ],
    [
      CORP.replace('https://', 'ldap://'),
      `${TABLE}.issuer in the settings file: must be the issuer of the provider`,
    ],
  ])('%s', async (text, message) => {
    await expect(read(text)).rejects.toThrow(message)
  })
})

test('the provider of the example is valid', async () => {
  const example = await readFile('config/coordinator.toml.example', 'utf8')
  const lines = example.slice(example.indexOf('#   [sign_in.providers.corp]')).split('\n\n')[0] ?? ''
  const { providers } = await read(lines.replaceAll(/^# {3}/gm, ''))
  expect(providers).toMatchObject([
    { name: 'corp', label: 'Corp', rules: { newAccounts: true, newAccountsApproval: true } },
  ])
})
