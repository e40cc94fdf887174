import { connect, createServer, type Socket } from 'node:net'
import { inspect } from 'node:util'

import { Client } from 'ldapts'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

import { LdapConnection } from '../../../src/coordinator/sessions/providers/ldap/connection.js'
import { LdapProvider } from '../../../src/coordinator/sessions/providers/ldap/ldap-provider.js'
import { PasswordAttempts } from '../../../src/coordinator/sessions/providers/password-attempts.js'
import { directory, openDirectoryScene } from '../../coordinator/sessions/providers/ldap-scene.js'
import { PASSWORD } from '../../coordinator/sessions/scene.js'
import { freePort } from '../../support/free-port.js'
import { PEOPLE, READER, SUFFIX } from '../../support/ldap-server.js'
import { onFinished, openForFile } from '../../support/lifetime.js'

// Attacks on the sign-in by directories: usernames that are filters or DNs, passwords that are none, accounts of others, and
// connections that somebody else ends or leads elsewhere.

const SECRET = 'the secret of mary'

const scene = openForFile(async () => {
  const opened = await openDirectoryScene({ base: SUFFIX, rules: { newAccounts: true } })
  const { server } = opened
  await server.addUser('mary', SECRET)
  await server.addUser('eve', 'eve', { mail: 'mary@example.com' })
  await server.addUser('off', 'off', { userAccountControl: '514' })
  await server.addUser('twin', 'twin')
  await server.add(`cn=second,${PEOPLE}`, {
    objectClass: 'inetOrgPerson',
    cn: 'second',
    sn: 'second',
    uid: 'twin',
    userPassword: 'twin',
  })
  return opened
})

async function signIn(username: string, password: string) {
  const browser = scene().visitor()
  const response = await scene().signIn(browser, { username, password })
  return { status: response.statusCode, body: response.body, name: await browser.name() }
}

/** The requests that the client of LDAP sends, while the test runs. */
function observeRequests() {
  const bind = vi.spyOn(Client.prototype, 'bind')
  const search = vi.spyOn(Client.prototype, 'search')
  onTestFinished(() => void vi.restoreAllMocks())
  return {
    /** The DNs with which passwords were tried. */
    dns: () => bind.mock.calls.map(([dn]) => String(dn)),
    searches: () => search.mock.calls.length,
  }
}

describe('a username', () => {
  test.each(['*', 'mar*', 'mary)(uid=*', '*)(objectClass=*', String.raw`\6dary`, `uid=mary,${PEOPLE}`])(
    'that is no username but %s finds nobody',
    async (username) => {
      expect(await signIn(username, SECRET)).toMatchObject({ status: 401, name: 401 })
    },
  )

  test('of several entries signs nobody in', async () => {
    expect(await signIn('twin', 'twin')).toMatchObject({ status: 400, name: 401 })
  })

  test('that nobody has is asked for like any other', async () => {
    const provider = new LdapProvider(directory(scene().server))
    const attempts = new PasswordAttempts().at({ provider: 'corp', address: '192.0.2.1' }, () =>
      Promise.resolve(),
    )
    const requests = observeRequests()
    await provider.verify({ username: 'mary', password: 'wrong' }, attempts)
    expect(requests.dns()).toEqual([READER.dn, `uid=mary,${PEOPLE}`])
    expect(requests.searches()).toBe(1)
    await provider.verify({ username: 'nobody', password: 'wrong' }, attempts)
    expect(requests.dns().slice(2)).toEqual([READER.dn, expect.stringMatching(/^cn=[0-9a-f]{32},ou=people,/)])
    expect(requests.searches()).toBe(2)
  })
})

test('an empty password is refused before any server is asked, since it would be an anonymous bind', async () => {
  const requests = observeRequests()
  expect(await signIn('mary', '')).toMatchObject({ status: 401, name: 401 })
  expect(requests.dns()).toEqual([])
  const { connection } = await LdapConnection.open(directory(scene().server), 0)
  onTestFinished(() => connection.close())
  expect(await connection.isPassword(`uid=mary,${PEOPLE}`, '')).toBe(false)
  expect(await connection.isPassword('', SECRET)).toBe(false)
  expect(requests.dns()).toEqual([READER.dn])
})

describe('a password', () => {
  test('of the directory is none of an account, and the other way round', async () => {
    expect(await signIn('mary', PASSWORD)).toMatchObject({ status: 401, name: 401 })
    const browser = scene().visitor()
    const response = await browser.signIn({ username: 'mary', password: SECRET })
    expect([response.statusCode, await browser.name()]).toEqual([401, 401])
  })

  test('for a directory that is not there is not tried for an account', async () => {
    const browser = scene().visitor()
    await browser.get('/users/sign_in')
    const response = await browser.submit('/users/sign_in', {
      tab: 'provider:gone',
      username: 'mary',
      password: PASSWORD,
    })
    expect([response.statusCode, await browser.name()]).toEqual([404, 401])
  })

  test('is not tried after ten wrong ones from one address, however the username is written', async () => {
    const provider = new LdapProvider(directory(scene().server))
    const wrong: string[] = []
    const all = new PasswordAttempts()
    const from = (address: string) =>
      all.at({ provider: 'corp', address }, async (subject) => void wrong.push(subject))
    const attempts = from('192.0.2.1')
    for (const username of [
      'mary',
      'MARY',
      'Mary',
      ' mary',
      'mary ',
      'mARY',
      'maRY',
      'marY',
      'MaRy',
      'MARy',
    ]) {
      expect(await provider.verify({ username, password: 'wrong' }, attempts)).toBeUndefined()
    }
    expect(wrong).toHaveLength(10)
    const requests = observeRequests()
    expect(await provider.verify({ username: 'mary', password: SECRET }, attempts)).toBeUndefined()
    expect(requests.dns()).not.toContain(`uid=mary,${PEOPLE}`)
    // Nobody locks the user of another address out.
    expect(await provider.verify({ username: 'mary', password: SECRET }, from('192.0.2.2'))).toBeDefined()
  })

  test('that is right opens no account that is disabled at the directory', async () => {
    const refused = await signIn('off', 'off')
    expect(refused).toMatchObject({ status: 403, name: 401 })
    expect(refused.body).toContain('Your account is disabled at Corp.')
  })

  test('that is right opens no account of another user with the same address', async () => {
    const refused = await signIn('eve', 'eve')
    expect(refused).toMatchObject({ status: 403, name: 401 })
    expect(refused.body).toContain('There is an account with your e-mail address already.')
  })
})

describe('a connection', () => {
  const verify = (settings: Parameters<typeof directory>[1]) =>
    new LdapProvider(directory(scene().server, settings)).verify(
      { username: 'mary', password: SECRET },
      (_, check) => check(),
    )

  test.each([
    ['ldaps', false],
    ['StartTLS', true],
  ])('by %s to a server without the right certificate carries no password', async (_, startTls) => {
    const requests = observeRequests()
    const { url, tlsUrl } = scene().server
    const error: unknown = await verify({
      urls: [startTls ? url : tlsUrl],
      startTls,
      authorities: undefined,
    }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ kind: 'unreachable' })
    expect(inspect(error, { depth: 10 })).not.toContain(SECRET)
    expect(requests.dns()).not.toContain(`uid=mary,${PEOPLE}`)
  })

  test.each([
    ['plain', false],
    ['StartTLS', true],
  ])(
    'that the server closes (%s) is not opened again, without the account or in the clear',
    async (_, startTls) => {
      const sockets: Socket[] = []
      const upstream = Number(new URL(scene().server.url).port)
      const port = await listen((client) => {
        sockets.push(client)
        client.pipe(connect(upstream, '127.0.0.1').on('error', () => undefined)).pipe(client)
      })
      const settings = directory(scene().server, { urls: [`ldap://127.0.0.1:${port}`], startTls })
      const { connection } = await LdapConnection.open(settings, 0)
      const { ldap } = connection
      const ended = new Promise((resolve) => sockets[0]?.once('close', resolve))
      sockets[0]?.end()
      await ended // the other side has read that, and has closed too
      const filter = new ldap.PresenceFilter({ attribute: 'objectClass' })
      await expect(connection.search({ base: PEOPLE, filter, attributes: [], limit: 9 })).rejects.toThrow(
        'reachable',
      )
      await expect(connection.isPassword(`uid=mary,${PEOPLE}`, SECRET)).rejects.toThrow('not reachable')
      expect(sockets).toHaveLength(1)
    },
  )

  test('does not follow a referral to another server', async () => {
    const { server } = scene()
    let visits = 0
    const port = await listen((socket) => {
      visits++
      socket.destroy()
    })
    const dn = `ou=elsewhere,${SUFFIX}`
    const ref = `ldap://127.0.0.1:${port}/${SUFFIX}`
    await server.add(dn, { objectClass: ['referral', 'extensibleObject'], ou: 'elsewhere', ref })
    expect(await verify({ base: SUFFIX })).toMatchObject({ username: 'mary' })
    await expect(verify({ base: dn })).rejects.toMatchObject({ kind: 'invalid' })
    expect(visits).toBe(0)
  })
})

/** A server on a free port of loopback. */
async function listen(serve: (socket: Socket) => void): Promise<number> {
  const port = await freePort()
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    serve(socket)
  }).listen(port, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onFinished(() => void server.close())
  return port
}
