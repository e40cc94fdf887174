import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'

import { expect, test } from 'vitest'

import { addSshKey } from '../../../src/coordinator/accounts/users/keys/ssh-keys.js'
import { kexInit, listsOf, MESSAGE, packetClient, ssh } from '../../coordinator/hosting/ssh/ssh-packets.js'
import { gitWithSsh, newKey, openSshScene, sshCommand } from '../../coordinator/hosting/ssh/ssh-scene.js'
import { openForFile } from '../../support/lifetime.js'

const scene = openForFile(() => openSshScene())

const STRICT = 'kex-strict-c-v00@openssh.com'

/** An offer with which the key exchange can begin. */
function offer(exchange = 'curve25519-sha256'): Buffer {
  const [cipher, mac] = ['chacha20-poly1305@openssh.com', 'hmac-sha2-256']
  return kexInit([exchange, 'ssh-ed25519', cipher, cipher, mac, mac, 'none', 'none', '', ''])
}

/** A message of the client that begins the exchange, with a point that is no secret. */
const BEGIN = Buffer.concat([Buffer.of(MESSAGE.kexDhInit), ssh(randomBytes(32))])

const IGNORED = Buffer.concat([Buffer.of(MESSAGE.ignore), ssh('x')])

/** The first message after the offer of the server. */
async function responseTo(...messages: Buffer[]): Promise<number | undefined> {
  const client = await packetClient(scene().server.port)
  for (const message of messages) client.send(message)
  expect((await client.next())?.[0]).toBe(MESSAGE.kexInit)
  return (await client.next())?.[0]
}

test('the server offers no algorithm with SHA-1, MD5, CBC, RC4, DSA or a small group', async () => {
  const client = await packetClient(scene().server.port)
  expect(client.ident).toBe('SSH-2.0-switchyard')
  client.send(offer())
  const lists = listsOf((await client.next()) ?? Buffer.of())
  const [exchanges = [], hostKeys = [], ciphers = [], , macs = [], , compressions = []] = lists
  expect(exchanges).toContain('curve25519-sha256')
  expect(hostKeys).toEqual(['ssh-ed25519', 'ecdsa-sha2-nistp256'])
  expect(ciphers).toContain('aes256-gcm@openssh.com')
  expect(macs).toContain('hmac-sha2-256')
  // Compression before the sign-in would read what anyone sends.
  expect(compressions).toEqual(['none'])
  const weak = /sha1|md5|cbc|arcfour|ssh-dss|ssh-rsa|group1-|group-exchange/
  expect(lists.flat().filter((name) => weak.test(name))).toEqual([])
})

test('a client that knows weak algorithms alone is disconnected', async () => {
  expect(await responseTo(offer('diffie-hellman-group1-sha1'))).toBe(MESSAGE.disconnect)
  expect(await responseTo(offer('diffie-hellman-group14-sha1'))).toBe(MESSAGE.disconnect)
})

test('a signature with SHA-1 does not sign in', async () => {
  const { database, ada, remote } = scene()
  const rsa = await newKey('rsa')
  await addSshKey(database, ada.id, { title: 'rsa', key: rsa.public })
  const list = (algorithm: string) =>
    gitWithSsh('/', sshCommand(rsa, `PubkeyAcceptedAlgorithms=${algorithm}`), 'ls-remote', remote())
  expect(await list('rsa-sha2-256')).toEqual({ exitCode: 0, output: '' })
  const refused = await list('ssh-rsa')
  expect(refused.exitCode).toBe(128)
  expect(refused.output).toContain('Permission denied (publickey)')
})

test('a message that is inserted before the encryption ends the connection, so none can be cut off after it', async () => {
  const client = await packetClient(scene().server.port)
  client.send(offer())
  const [exchanges = []] = listsOf((await client.next()) ?? Buffer.of())
  expect(exchanges).toContain('kex-strict-s-v00@openssh.com')
  const strict = offer(`curve25519-sha256,${STRICT}`)
  expect(await responseTo(strict, BEGIN)).toBe(MESSAGE.kexDhReply)
  expect(await responseTo(IGNORED, strict)).toBe(MESSAGE.disconnect)
  expect(await responseTo(strict, IGNORED)).toBe(MESSAGE.disconnect)
  // Old clients do not know this.
  expect(await responseTo(IGNORED, offer(), BEGIN)).toBe(MESSAGE.kexDhReply)
})

test.each([
  ['a message of 2 GiB', Buffer.from('7fffffff04', 'hex')],
  ['a message without content', Buffer.from('0000000000', 'hex')],
  ['a message with more padding than content', Buffer.from('0000000cff', 'hex')],
])('%s ends the connection', async (_what, start) => {
  const client = await packetClient(scene().server.port)
  expect((await client.next())?.[0]).toBe(MESSAGE.kexInit)
  client.socket.write(Buffer.concat([start, Buffer.alloc(64)]))
  const last = await client.next()
  expect([undefined, MESSAGE.disconnect]).toContain(last?.[0])
  if (last) expect(await client.next()).toBeUndefined()
})

test('a client that sends a longer name than the protocol allows is disconnected', async () => {
  const socket = connect(scene().server.port, '127.0.0.1')
  socket.on('error', () => undefined) // it may still write
  const closed = once(socket.resume(), 'close')
  socket.write('SSH-2.0-'.padEnd(100_000, 'x'))
  await closed
})
