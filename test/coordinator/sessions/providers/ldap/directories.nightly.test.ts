import { createServer } from 'node:net'

import { Client, ExtensibleFilter } from 'ldapts'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

import { LdapProvider } from '../../../../../src/coordinator/sessions/providers/ldap/ldap-provider.js'
import type { LdapSettings } from '../../../../../src/coordinator/sessions/providers/provider-settings.js'
import { freePort } from '../../../../support/free-port.js'
import { GROUPS, LdapServer, PEOPLE } from '../../../../support/ldap-server.js'
import { openForFile } from '../../../../support/lifetime.js'
import { directory } from '../ldap-scene.js'

// The way to the directory, and what differs between directories. What a sign-in does with the identity runs always.

const server = openForFile(() => LdapServer.start())

const MARY = { username: 'mary', password: 'secret' }
const GUID_BYTES = Buffer.from('33221100554477668899aabbccddeeff', 'hex')

const mary = openForFile(() =>
  server().addUser('mary', 'secret', {
    sAMAccountName: 'MMajor',
    userPrincipalName: 'mary@corp.example',
    objectGUID: GUID_BYTES,
    userAccountControl: '512',
    employeeType: 'staff',
  }),
)

function verify(given: Partial<Omit<LdapSettings, 'rules'>> = {}, credentials = MARY) {
  return new LdapProvider(directory(server(), given)).verify(credentials, (_, check) => check())
}

describe('the servers of a directory', () => {
  const dead = async () => `ldap://127.0.0.1:${await freePort()}`

  test('are tried in turn, and the one that has responded is asked first the next time', async () => {
    const provider = new LdapProvider(directory(server(), { urls: [await dead(), server().url] }))
    expect(await provider.verify(MARY, (_, check) => check())).toMatchObject({ username: 'mary' })
    const attempts = vi.spyOn(Client.prototype, 'bind')
    onTestFinished(() => {
      attempts.mockRestore()
    })
    expect(await provider.verify(MARY, (_, check) => check())).toMatchObject({ username: 'mary' })
    expect(attempts).toHaveBeenCalledTimes(2) // the account, and the user
  })

  test('that do not respond at all are unreachable after the time of the settings', async () => {
    const port = await freePort()
    const silent = createServer().listen(port, '127.0.0.1')
    onTestFinished(() => void silent.close())
    for (const startTls of [false, true]) {
      const urls = [`ldap://127.0.0.1:${port}`]
      await expect(verify({ urls, startTls, timeout: 200 })).rejects.toMatchObject({ kind: 'unreachable' })
    }
    await expect(verify({ urls: [`ldaps://127.0.0.1:${port}`], timeout: 200 })).rejects.toMatchObject({
      kind: 'unreachable',
    })
  })

  test('that do not know the account of the settings are no reason to ask the next one', async () => {
    const account = { dn: `cn=none,${PEOPLE}`, password: 'wrong' }
    await expect(verify({ account, urls: [server().url, await dead()] })).rejects.toMatchObject({
      kind: 'invalid',
    })
  })

  test.each([
    ['ldap', () => ({ urls: [server().url] })],
    ['StartTLS', () => ({ urls: [server().url], startTls: true })],
    ['ldaps', () => ({ urls: [server().tlsUrl] })],
  ])('are asked over %s', async (_, given) => {
    expect(await verify(given())).toMatchObject({ username: 'mary' })
  })
})

describe('the attributes of Active Directory', () => {
  const attributes = { username: 'sAMAccountName', name: 'cn', email: 'mail', id: 'objectGUID' }
  const GUID = '00112233-4455-6677-8899-aabbccddeeff'

  test.each(['sAMAccountName', 'userPrincipalName'])('sign in by %s', async (username) => {
    const typed = username === 'sAMAccountName' ? 'mmajor' : 'MARY@corp.example'
    const found = await verify({ attributes: { ...attributes, username } }, { ...MARY, username: typed })
    expect(found).toMatchObject({ subject: GUID })
  })

  test('find a user again by the binary ID', async () => {
    const provider = new LdapProvider(directory(server(), { attributes }))
    const found = await provider.directory?.read((reader) => reader.find([GUID.toUpperCase()]))
    expect([...(found?.keys() ?? [])]).toEqual([GUID.toUpperCase()])
  })

  test('say that an account is disabled or has expired', async () => {
    onTestFinished(() => server().change(mary(), { userAccountControl: '512', accountExpires: '0' }))
    await server().change(mary(), { userAccountControl: '514' })
    await expect(verify()).rejects.toThrow('Your account is disabled at Corp.')
    await server().change(mary(), { userAccountControl: '512', accountExpires: '132223104000000000' })
    await expect(verify()).rejects.toThrow('Your account has expired at Corp.')
  })

  test('let the server follow groups within groups, by one search', async () => {
    const filters = vi.spyOn(ExtensibleFilter.prototype, 'writeFilter')
    onTestFinished(() => {
      filters.mockRestore()
    })
    const rules = { groups: new Map([['devs', []]]) }
    const groups = {
      base: GROUPS,
      filter: '(objectClass=*)',
      name: 'cn',
      member: 'member',
      nested: 'in_chain' as const,
    }
    const settings = directory(server(), { rules, groups })
    expect(await new LdapProvider(settings).verify(MARY, (_, check) => check())).toMatchObject({ groups: [] })
    expect(filters.mock.contexts.map(String)).toEqual([`(member:1.2.840.113556.1.4.1941:=${mary()})`])
  })
})

describe('groups', () => {
  const groupsWith = async (given: Partial<LdapSettings['groups']>) => {
    const rules = { groups: new Map([['devs', []]]) }
    const groups = {
      base: GROUPS,
      filter: '(objectClass=*)',
      name: 'cn',
      member: 'member',
      nested: 'no' as const,
    }
    const settings = directory(server(), { rules, groups: { ...groups, ...given } })
    const found = await new LdapProvider(settings).verify(MARY, (_, check) => check())
    return [...(found?.groups ?? [])].toSorted()
  }

  test('are those of the user, those around them, or those that name the username', async () => {
    const devs = await server().addGroup('devs', [mary()])
    await server().addGroup('company', [devs])
    await server().add(`cn=posix,${GROUPS}`, {
      objectClass: 'posixGroup',
      cn: 'posix',
      gidNumber: '1000',
      memberUid: 'mary',
    })
    expect(await groupsWith({})).toEqual(['devs'])
    expect(await groupsWith({ nested: 'walk' })).toEqual(['company', 'devs'])
    expect(await groupsWith({ member: 'memberUid' })).toEqual(['posix'])
    expect(await groupsWith({ filter: '(cn=comp*)', nested: 'walk' })).toEqual([])
  })

  test('of more than the server returns at once refuse the sign-in, since some would be missing', async () => {
    for (let number = 0; number < 101; number++) await server().addGroup(`many${number}`, [mary()])
    await expect(groupsWith({})).rejects.toMatchObject({ kind: 'invalid' })
  })
})

test('required claims are attributes of the entry', async () => {
  const rules = { requiredClaims: new Map([['employeeType', ['staff']]]) }
  const provider = new LdapProvider(directory(server(), { rules }))
  expect(await provider.verify(MARY, (_, check) => check())).toMatchObject({
    claims: { employeeType: ['staff'] },
  })
})
