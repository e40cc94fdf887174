import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { readCoordinatorSettings } from '../../../../src/coordinator/start/config/settings.js'
import { tempDir } from '../../../support/temp-dir.js'

async function read(text: string) {
  const file = join(await tempDir(), 'coordinator.toml')
  await writeFile(file, text)
  return readCoordinatorSettings({ config: file }, {}).signIn.providers
}

const TABLE = 'sign_in.providers.corp'
const CORP = `[${TABLE}]
kind = "ldap"
urls = "ldaps://ldap.example.com"
base = "ou=people,dc=example,dc=com"
`

test('a directory needs its servers and the base, and creates no accounts by default', async () => {
  expect(await read(CORP)).toMatchObject([
    {
      kind: 'ldap',
      name: 'corp',
      label: 'corp',
      urls: ['ldaps://ldap.example.com'],
      startTls: false,
      timeout: 10_000,
      account: undefined,
      base: 'ou=people,dc=example,dc=com',
      userFilter: '(objectClass=*)',
      attributes: { username: 'uid', name: 'cn', email: 'mail', id: 'entryUUID' },
      isEmailVerified: false,
      groups: { base: 'ou=people,dc=example,dc=com', name: 'cn', member: 'member', nested: 'no' },
      maxBlockedPercent: 20,
      rules: { newAccounts: false },
    },
  ])
})

test('the password of the account and the certificates are in files', async () => {
  const folder = await tempDir()
  await writeFile(join(folder, 'password'), 'secret\n')
  await writeFile(join(folder, 'ca.pem'), 'the certificates')
  const text = `${CORP}bind_dn = "cn=ci,dc=example,dc=com"
bind_password_file = "${join(folder, 'password')}"
ca_file = "${join(folder, 'ca.pem')}"`
  expect(await read(text)).toMatchObject([
    { account: { dn: 'cn=ci,dc=example,dc=com', password: 'secret' }, authorities: 'the certificates' },
  ])
})

describe('passwords do not cross the network in the clear', () => {
  test.each([
    ['ldap://127.0.0.1:389', '', true],
    ['ldap://[::1]', '', true],
    ['ldap://ldap.example.com', '', false],
    ['ldaps://a.example.com, ldap://b.example.com', '', false],
    ['ldap://ldap.example.com', 'start_tls = true', true],
    ['ldap://ldap.example.com', 'allow_unencrypted = true', true],
  ])('%s %s', async (urls, more, isAllowed) => {
    const result = read(`${CORP.replace('ldaps://ldap.example.com', urls)}${more}`)
    if (isAllowed) expect(await result).toHaveLength(1)
    else await expect(result).rejects.toThrow('would carry passwords in the clear; use ldaps:')
  })
})

describe('each problem names its key and the remedy:', () => {
  test.each([
    [`[${TABLE}]\nkind = "ldap"`, `${TABLE}.urls: is required; such as ldaps://ldap.example.com`],
    [`[${TABLE}]\nkind = "ldap"`, `${TABLE}.base: is required; the DN below which the users are`],
    [CORP.replace('ldaps:', 'https:'), `${TABLE}.urls in the settings file: must be URLs such as ldaps://`],
    [CORP.replace('example.com"', 'example.com/dc=com"'), 'must be URLs such as ldaps://'],
    [CORP.replace('ou=people,', 'people '), `${TABLE}.base in the settings file: must be a DN`],
    [`${CORP}bind_dn = "cn=ci"`, `${TABLE}.bind_dn: needs bind_password or bind_password_file`],
    [`${CORP}bind_password = "x"`, `${TABLE}.bind_dn: needs bind_password`],
    [
      `${CORP}bind_dn = "EXTERNAL"\nbind_password = "x"`,
      `${TABLE}.bind_dn in the settings file: must be a DN`,
    ],
    [`${CORP}id_attribute = "a b"`, `${TABLE}.id_attribute in the settings file: must be the name`],
    [`${CORP}nested_groups = true`, `${TABLE}.nested_groups in the settings file: must be one of no, walk`],
    [`${CORP}max_blocked_percent = 101`, `${TABLE}.max_blocked_percent in the settings file: must be`],
    [`${CORP}allowed_domains = "example.com"`, `${TABLE}.allowed_domains: needs email_verified = true`],
    [`${CORP}link_by_verified_email = true`, `${TABLE}.link_by_verified_email: needs email_verified = true`],
    [`${CORP}ca_file = "/none"`, `${TABLE}.ca_file in the settings file: must be a file with certificates`],
    [`${CORP}issuer = "x"`, `${TABLE}.issuer in the settings file: unknown setting`],
  ])('%s', async (text, message) => {
    await expect(read(text)).rejects.toThrow(message)
  })
})

describe('a filter', () => {
  const filter = (text: string) => read(`${CORP}user_filter = '${text}'`)

  test.each([
    '(objectClass=person)',
    '(&(objectCategory=person)(objectClass=user)(!(userAccountControl:1.2.840.113556.1.4.803:=2)))',
    '(|(cn=Müller*)(&(a>=1)(b~=x)))',
    String.raw`(cn=\28x\29)`,
  ])('may be %s', async (text) => {
    expect(await filter(text)).toMatchObject([{ userFilter: text }])
  })

  test.each([
    'objectClass=person',
    '(a=b',
    '(a=b))',
    '(&)',
    '(!(a=b)(c=d))',
    '(a b)',
    '(a=b)x',
    String.raw`(a=\c3\bc)`,
  ])('may not be %s', async (text) => {
    await expect(filter(text)).rejects.toThrow(
      `${TABLE}.user_filter in the settings file: must be a filter such as`,
    )
  })
})

test('the directory of the example is valid', async () => {
  const example = await readFile('config/coordinator.toml.example', 'utf8')
  const lines = example.slice(example.indexOf('#   [sign_in.providers.directory]')).split('\n\n')[0] ?? ''
  const text = lines.replaceAll(/^# {3}/gm, '').replace(/^ca_file.*$/m, '')
  expect(await read(text)).toMatchObject([{ name: 'directory', groups: { nested: 'walk' } }])
})
