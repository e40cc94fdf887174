import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { login, run, withKey } from '../../coordinator/hosting/ssh/ssh-client.js'
import { gitWithSsh, openSshScene, sshCommand } from '../../coordinator/hosting/ssh/ssh-scene.js'
import { openForFile } from '../../support/lifetime.js'
import { tempDir } from '../../support/temp-dir.js'

const scene = openForFile(() => openSshScene())

const LIST = "git-upload-pack 'ada/app.git'"

function signIn() {
  return login(scene(), withKey(scene().key))
}

/** Why a request is refused; undefined if it is not. */
function refusal(start: (done: (error?: Error | null) => void) => void): Promise<string | undefined> {
  return new Promise((resolve) => start((error) => resolve(error?.message)))
}

test('a session has no terminal', async () => {
  const client = await signIn()
  expect(await refusal((done) => client.shell(done))).toContain('Unable to request a pseudo-terminal')
  expect(await refusal((done) => client.exec(LIST, { pty: true }, done))).toContain('pseudo-terminal')
})

test('a session has no file transfer and no other subsystem', async () => {
  const client = await signIn()
  expect(await refusal((done) => client.sftp(done))).toContain('Unable to start subsystem')
  expect(await refusal((done) => client.subsys('netconf', done))).toContain('Unable to start subsystem')
})

test('a session has no display', async () => {
  const client = await signIn()
  expect(await refusal((done) => client.exec(LIST, { x11: true }, done))).toContain('Unable to request X11')
})

test('the agent of a client is not used', async () => {
  const { key } = scene()
  const client = await login(scene(), { agent: '/nonexistent', agentForward: true, ...withKey(key) })
  const options = { agentForward: true } as never
  expect(await refusal((done) => client.exec(LIST, options, done))).toContain('agent forwarding')
})

test('a client sets no variable of git or of the linker', async () => {
  const client = await signIn()
  const folder = await tempDir()
  const trace = join(folder, 'trace')
  const env = {
    GIT_TRACE: trace,
    GIT_TRACE2: trace,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'uploadpack.packObjectsHook',
    GIT_CONFIG_VALUE_0: `touch ${trace}; git`,
    GIT_DIR: '/etc',
    GIT_EXEC_PATH: folder,
    LD_PRELOAD: join(folder, 'x.so'),
    PATH: folder,
  }
  expect((await run(client, LIST, { env, input: Buffer.from('0000') })).status).toBe(0)
  expect(existsSync(trace)).toBe(false)
})

test('the protocol version of a client reaches git only if it has the form of one', async () => {
  const client = await signIn()
  const advertisement = async (value: string) =>
    (await run(client, LIST, { env: { GIT_PROTOCOL: value }, input: Buffer.from('0000') })).text
  expect(await advertisement('version=2')).toContain('version 2')
  for (const value of ['version=2\n', 'version=2;id', `version=2${':x'.repeat(1000)}`, ''])
    expect(await advertisement(value)).not.toContain('version 2')
})

test('nothing is forwarded to the network of the server', async () => {
  const client = await signIn()
  const { port } = scene().server
  const toPort = await refusal((done) => client.forwardOut('127.0.0.1', 1, '127.0.0.1', port, done))
  expect(toPort).toContain('Channel open failure')
  const toSocket = await refusal((done) => client.openssh_forwardOutStreamLocal('/run/docker.sock', done))
  expect(toSocket).toContain('Channel open failure')
})

test('the server listens on no port or socket for a client', async () => {
  const client = await signIn()
  expect(await refusal((done) => client.forwardIn('127.0.0.1', 0, done))).toContain('Unable to bind')
  expect(await refusal((done) => client.openssh_forwardInStreamLocal('/tmp/x', done))).toContain(
    'Unable to bind',
  )
})

test('the ssh client is greeted, and gets no terminal or forwarding with its options', async () => {
  const { key, remote, server } = scene()
  const at = `-p ${server.port} git@127.0.0.1`
  // Git runs the command of an alias in a shell.
  const ssh = (args: string) => gitWithSsh('/', '', '-c', `alias.ssh=!${sshCommand(key)} ${args}`, 'ssh')
  const greeted = await ssh(`-T ${at}`)
  expect(greeted.output).toContain('Welcome to Switchyard, @ada!')
  expect(greeted.exitCode).toBe(0)
  expect((await ssh(`-tt ${at}`)).output).toContain('PTY allocation request failed')
  const forwarding = await ssh(`-o ExitOnForwardFailure=yes -N -R 0:127.0.0.1:${server.port} ${at}`)
  expect(forwarding.exitCode).toBe(255)
  expect((await gitWithSsh('/', sshCommand(key), 'ls-remote', remote())).exitCode).toBe(0)
})
