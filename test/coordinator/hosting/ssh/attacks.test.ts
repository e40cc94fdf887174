import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'

import ssh2 from 'ssh2'
import { expect, test, vi } from 'vitest'

import { createUser } from '../../../../src/coordinator/accounts/users/account/create-user.js'
import { addSshKey } from '../../../../src/coordinator/accounts/users/keys/ssh-keys.js'
import { readSshCommand } from '../../../../src/coordinator/hosting/ssh/ssh-command.js'
import { onFinished } from '../../../support/lifetime.js'
import { tempDir } from '../../../support/temp-dir.js'
import { setSettings } from '../../support/set-settings.js'
import {
  containing,
  deployKey,
  gitOverSsh,
  type KeyFiles,
  newKey,
  openSshScene,
  type SshScene,
} from './ssh-scene.js'

/** Resolves when the client is authenticated; rejects with the reason of the server. */
function login(scene: SshScene, config: ssh2.ConnectConfig): Promise<ssh2.Client> {
  const client = new ssh2.Client()
  onFinished(() => {
    client.destroy()
  })
  return new Promise((resolve, reject) => {
    client.once('ready', () => resolve(client))
    client.on('error', reject)
    client.once('close', () => reject(new Error('closed')))
    client.connect({
      host: '127.0.0.1',
      port: scene.server.port,
      username: 'git',
      strictVendor: false,
      ...config,
    })
  })
}

function withKey(key: KeyFiles): ssh2.ConnectConfig {
  return { privateKey: key.private }
}

interface Result {
  status: number | null
  text: string
}

function run(client: ssh2.Client, command: string, options: ssh2.ExecOptions = {}): Promise<Result> {
  return new Promise((resolve, reject) => {
    client.exec(command, options, (error, channel) => {
      if (error) {
        reject(error)
        return
      }
      let text = ''
      let status: number | null = null
      channel.on('data', (piece: Buffer) => (text += piece.toString()))
      channel.stderr.on('data', (piece: Buffer) => (text += piece.toString()))
      channel.on('exit', (code: number) => (status = code))
      channel.on('close', () => resolve({ status, text }))
      channel.end()
    })
  })
}

test('a path is only a path: no further command, option, other folder or program', async () => {
  const commands = [
    "git-upload-pack 'ada/app.git; id'",
    "git-upload-pack 'ada/app.git' ; id",
    "git-upload-pack 'ada/app.git'; id",
    "git-upload-pack 'ada/$(id).git'",
    "git-upload-pack 'ada/`id`.git'",
    "git-upload-pack 'ada/app.git\nid'",
    "git-upload-pack 'ada/app.git'\nid",
    "git-upload-pack 'ada/app'\\''.git'",
    "git-upload-pack --upload-pack='id' 'ada/app.git'",
    "git-upload-pack '--upload-pack=id/x'",
    "git-upload-pack '-c/x'",
    "git-upload-pack 'ada/-app.git'",
    "git-upload-pack '../ada/app.git'",
    "git-upload-pack 'ada/../../app.git'",
    "git-upload-pack 'ada/..'",
    "git-upload-pack '/etc'",
    "git-upload-pack '~/ada/app.git'",
    "git-upload-pack '//ada/app.git'",
    "git-upload-archive 'ada/app.git'",
    "GIT-UPLOAD-PACK 'ada/app.git'",
    'git-upload-pack',
    '',
    'id',
    '/bin/sh -c id',
    'scp -f /etc/passwd',
    'git-lfs-authenticate ada/app.git everything',
    'git-lfs-authenticate ../ada/app.git download',
    'git-lfs-authenticate ada/app.git download; id',
    'git-lfs-transfer ada/app.git download',
    "git -c core.pager=id upload-pack 'ada/app.git'",
  ]
  for (const command of commands) expect([command, readSshCommand(command)]).toEqual([command, undefined])
  const scene = await openSshScene()
  const client = await login(scene, withKey(scene.key))
  for (const command of ["git-upload-pack 'ada/app.git'; id", 'id', "git-upload-pack '../../x'"]) {
    expect(await run(client, command)).toEqual({ status: 1, text: containing('only serves git') })
  }
})

test('the forms in which git clients name a project are read', () => {
  const wanted = { service: 'git-upload-pack', fullPath: 'ada/sub/app' }
  for (const path of [
    "'/ada/sub/app.git'",
    "'ada/sub/app.git'",
    "'ada/sub/app'",
    'ada/sub/app.git',
    "'/ada/sub/app.git/'",
  ]) {
    expect(readSshCommand(`git-upload-pack ${path}`)).toEqual(wanted)
    expect(readSshCommand(`git upload-pack ${path}`)).toEqual(wanted)
  }
})

test('a session has no shell, terminal, file transfer, display, agent or environment', async () => {
  const scene = await openSshScene()
  const client = await login(scene, withKey(scene.key))
  const refusal = (start: (done: (error?: Error | null) => void) => void) =>
    new Promise<string | undefined>((resolve) => start((error) => resolve(error?.message)))
  expect(await refusal((done) => client.shell(false, done))).toContain('Unable to open shell')
  expect(await refusal((done) => client.shell(done))).toContain('Unable to request a pseudo-terminal')
  expect(await refusal((done) => client.sftp(done))).toContain('Unable to start subsystem')
  expect(await refusal((done) => client.subsys('x', done))).toContain('Unable to start subsystem')
  expect(await refusal((done) => client.exec('id', { pty: true }, done))).toContain('pseudo-terminal')
  expect(await refusal((done) => client.exec('id', { x11: true }, done))).toContain('Unable to request X11')
  const agent = { agent: '/nonexistent', agentForward: true, ...withKey(scene.key) }
  const forwarding = await login(scene, agent)
  expect(await refusal((done) => forwarding.exec('id', { agentForward: true } as never, done))).toContain(
    'agent forwarding',
  )
  const trace = join(await tempDir(), 'trace')
  await run(client, "git-upload-pack 'ada/app.git'", { env: { GIT_TRACE: trace } })
  expect(existsSync(trace)).toBe(false)
})

test('nothing is forwarded, in either direction', async () => {
  const scene = await openSshScene()
  const client = await login(scene, withKey(scene.key))
  const refusal = (start: (done: (error?: Error | null) => void) => void) =>
    new Promise<string | undefined>((resolve) => start((error) => resolve(error?.message)))
  const { port } = scene.server
  expect(await refusal((done) => client.forwardOut('127.0.0.1', 1, '127.0.0.1', port, done))).toContain(
    'Channel open failure',
  )
  expect(await refusal((done) => client.forwardIn('127.0.0.1', 0, done))).toContain('Unable to bind')
  expect(await refusal((done) => client.openssh_forwardOutStreamLocal('/run/docker.sock', done))).toContain(
    'Channel open failure',
  )
  expect(await refusal((done) => client.openssh_forwardInStreamLocal('/tmp/x', done))).toContain(
    'Unable to bind',
  )
})

test('only known keys of the user git sign in', async () => {
  const scene = await openSshScene()
  const refused = 'All configured authentication methods failed'
  await expect(login(scene, { password: 'secret' })).rejects.toThrow(refused)
  await expect(login(scene, { tryKeyboard: true })).rejects.toThrow(refused)
  await expect(login(scene, {})).rejects.toThrow(refused)
  await expect(login(scene, withKey(await newKey()))).rejects.toThrow(refused)
  await expect(login(scene, { ...withKey(scene.key), username: 'root' })).rejects.toThrow(refused)
})

test('keys that expired, only sign, or belong to a blocked user do not sign in', async () => {
  const scene = await openSshScene()
  const { database } = scene
  const refused = 'All configured authentication methods failed'
  const signing = await newKey()
  await addSshKey(database, scene.ada.id, { title: 'signing', key: signing.public, usage_type: 'signing' })
  await expect(login(scene, withKey(signing))).rejects.toThrow(refused)
  const eve = await createUser(database, { username: 'eve', name: 'Eve', email: 'eve@example.com' })
  const key = await newKey()
  await addSshKey(database, eve.id, { title: 'laptop', key: key.public })
  await login(scene, withKey(key))
  await database.updateTable('user').set({ state: 'blocked' }).where('id', '=', eve.id).execute()
  await expect(login(scene, withKey(key))).rejects.toThrow(refused)
  await database.updateTable('user').set({ state: 'active' }).where('id', '=', eve.id).execute()
  await database.updateTable('ssh_key').set({ expires_at: 1 }).where('user_id', '=', eve.id).execute()
  await expect(login(scene, withKey(key))).rejects.toThrow(refused)
})

test('a deploy key that expired does not sign in', async () => {
  const scene = await openSshScene()
  const key = await deployKey(scene, [scene.project], false)
  await login(scene, withKey(key))
  await scene.database.updateTable('deploy_key').set({ expires_at: 1 }).execute()
  await expect(login(scene, withKey(key))).rejects.toThrow('All configured authentication methods failed')
})

test('keys of a kind or size that administrators do not allow any more do not sign in', async () => {
  const scene = await openSshScene()
  const client = await login(scene, withKey(scene.key))
  await setSettings(scene.services, { ed25519_key_restriction: -1 })
  expect(await run(client, "git-upload-pack 'ada/app.git'")).toMatchObject({ status: 1 })
  await expect(login(scene, withKey(scene.key))).rejects.toThrow()
  const rsa = await newKey('rsa')
  await addSshKey(scene.database, scene.ada.id, { title: 'rsa', key: rsa.public })
  await login(scene, withKey(rsa))
  await setSettings(scene.services, { rsa_key_restriction: 4096 })
  await expect(login(scene, withKey(rsa))).rejects.toThrow()
})

test('git uses SSH only if the settings allow it', async () => {
  const scene = await openSshScene()
  await setSettings(scene.services, { enabled_git_access_protocol: 'http' })
  expect(await gitOverSsh('/', scene.key, 'ls-remote', scene.remote())).toMatchObject({
    exitCode: 128,
    output: containing('Git access over SSH is not allowed'),
  })
})

test('the last use of a key is recorded', async () => {
  const scene = await openSshScene()
  const lastUse = () => scene.database.selectFrom('ssh_key').select('last_used_at').executeTakeFirstOrThrow()
  expect(await lastUse()).toEqual({ last_used_at: null })
  const before = Date.now()
  await gitOverSsh('/', scene.key, 'ls-remote', scene.remote())
  const last_used_at = await vi.waitFor(async () => {
    const { last_used_at: used } = await lastUse()
    expect(used).toBeGreaterThanOrEqual(before)
    return used
  })
  await gitOverSsh('/', scene.key, 'ls-remote', scene.remote())
  expect(await lastUse()).toEqual({ last_used_at })
})

test('one address, and one user, has a limited number of connections', async () => {
  const scene = await openSshScene({ limits: { loginsOfAddress: 2, ofHolder: 2 } })
  const open = [1, 2].map(() => connect(scene.server.port, '127.0.0.1'))
  await Promise.all(open.map((socket) => once(socket, 'data')))
  await expect(login(scene, withKey(scene.key))).rejects.toThrow()
  for (const socket of open) socket.destroy()
  const signIn = () => vi.waitFor(() => login(scene, withKey(scene.key)))
  const [first] = [await signIn(), await signIn()]
  const third = async (key: KeyFiles) => run(await login(scene, withKey(key)), 'id')
  await expect(third(scene.key)).rejects.toThrow()
  const rsa = await newKey('rsa')
  await addSshKey(scene.database, scene.ada.id, { title: 'rsa', key: rsa.public })
  await expect(third(rsa)).rejects.toThrow()
  first.end()
  await once(first, 'close')
  expect(await vi.waitFor(() => third(scene.key))).toMatchObject({ status: 1 })
})

test('a fetch that is silent while git runs is given up earlier than a push', async () => {
  const scene = await openSshScene({ timeouts: { fetching: 100 } })
  const silent = await login(scene, withKey(scene.key))
  silent.exec("git-upload-pack 'ada/app.git'", (error, channel) => {
    if (!error) channel.resume()
  })
  await new Promise<void>((resolve) => silent.once('close', () => resolve()))
})

test('a failed sign-in of a blocked user is an audit event', async () => {
  const scene = await openSshScene()
  await scene.database.updateTable('user').set({ state: 'blocked' }).where('id', '=', scene.ada.id).execute()
  await expect(login(scene, withKey(scene.key))).rejects.toThrow()
  const events = await scene.database.selectFrom('audit_event').selectAll().execute()
  expect(events).toHaveLength(1)
})

test('a key that is deleted while its connection is open runs no command', async () => {
  const scene = await openSshScene()
  const client = await login(scene, withKey(scene.key))
  await scene.database.deleteFrom('ssh_key').execute()
  expect(await run(client, "git-upload-pack 'ada/app.git'")).toEqual({
    status: 1,
    text: 'This key is not accepted any more.\n',
  })
})

test('a signature of another key is refused', async () => {
  const scene = await openSshScene()
  const [own, wrong] = [ssh2.utils.parseKey(scene.key.private), ssh2.utils.parseKey((await newKey()).private)]
  if (own instanceof Error || wrong instanceof Error) throw new Error('A test key cannot be read')
  const forged = Object.create(own) as typeof own
  forged.sign = (...args: Parameters<typeof own.sign>) => wrong.sign(...args)
  await expect(
    login(scene, { authHandler: [{ type: 'publickey', username: 'git', key: forged }] as never }),
  ).rejects.toThrow()
})

test('a client with too many attempts is disconnected', async () => {
  const scene = await openSshScene()
  const passwords = Array.from({ length: 20 }, (_, index) => ({
    type: 'password' as const,
    username: 'git',
    password: `guess ${index}`,
  }))
  let tries = 0
  const authHandler: ssh2.AuthHandlerMiddleware = (_left, _partial, next) =>
    next(passwords[tries++] ?? (false as never))
  await expect(login(scene, { authHandler })).rejects.toThrow()
  expect(tries).toBe(7)
})

test('a client that sends nothing, or does not sign in, is disconnected', async () => {
  const scene = await openSshScene({ timeouts: { login: 100 } })
  const closed = (first: string) =>
    new Promise<void>((resolve) => {
      const socket = connect(scene.server.port, '127.0.0.1', () => socket.write(first))
      socket.on('close', () => resolve()).resume()
    })
  await Promise.all([closed(''), closed('SSH-2.0-x'), closed('SSH-2.0-x\r\n')])
})

test('an authenticated client that runs nothing, and one that is silent while git runs, are disconnected', async () => {
  const scene = await openSshScene({ timeouts: { unused: 100, silent: 200 } })
  const unused = await login(scene, withKey(scene.key))
  await new Promise<void>((resolve) => unused.once('close', () => resolve()))
  const silent = await login(scene, withKey(scene.key))
  silent.exec("git-receive-pack 'ada/app.git'", (error, channel) => {
    if (!error) channel.resume()
  })
  await new Promise<void>((resolve) => silent.once('close', () => resolve()))
  expect(await gitOverSsh('/', scene.key, 'ls-remote', scene.remote())).toMatchObject({ exitCode: 0 })
})
