import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test, vi } from 'vitest'

import { addSshKey } from '../../../../src/coordinator/accounts/users/keys/ssh-keys.js'
import { hostKeys } from '../../../../src/coordinator/hosting/ssh/host-keys.js'
import { readSshCommand } from '../../../../src/coordinator/hosting/ssh/ssh-command.js'
import { sshUrl } from '../../../../src/coordinator/http/presenters/ssh-url.js'
import { appParts } from '../../../../src/coordinator/start/app-parts.js'
import { serveSsh } from '../../../../src/coordinator/start/serve-ssh.js'
import { pushDeps } from '../../../../src/coordinator/start/services/push-deps.js'
import { commit, gitOk, workTree } from '../../../support/git-client.js'
import { variants } from '../../../support/nightly.js'
import { tempDir } from '../../../support/temp-dir.js'
import { setSettings } from '../../support/set-settings.js'
import { login, withKey } from './ssh-client.js'
import { containing, deployKey, gitOverSsh, newKey, openSshScene, sshSceneForFile } from './ssh-scene.js'

const openScene = sshSceneForFile()

test.each(variants(['2'], ['0']))(
  'a user pushes and clones with a key, in protocol version %s',
  async (version) => {
    const scene = await openScene()
    const tree = await workTree({ a: 'a'.repeat(3_000_000) })
    const protocol = ['-c', `protocol.version=${version}`]
    const pushed = await gitOverSsh(tree, scene.key, ...protocol, 'push', scene.remote(), 'main')
    expect(pushed).toEqual({ exitCode: 0, output: containing('main -> main') })
    const folder = join(await tempDir(), 'clone')
    const cloned = await gitOverSsh('/', scene.key, ...protocol, 'clone', '--quiet', scene.remote(), folder)
    expect(cloned).toEqual({ exitCode: 0, output: '' })
    expect(await readFile(join(folder, 'a'), 'utf8')).toBe('a'.repeat(3_000_000))
  },
)

test('a user pushes with an RSA key, deletes a branch, and pushes what is there already', async () => {
  const scene = await openScene()
  const rsa = await newKey('rsa')
  await addSshKey(scene.database, scene.ada.id, { title: 'old', key: rsa.public })
  const tree = await workTree()
  const push = (...refs: string[]) => gitOverSsh(tree, rsa, 'push', scene.remote(), ...refs)
  expect(await push('main', 'main:feature')).toMatchObject({ exitCode: 0 })
  expect(await push('main')).toMatchObject({ exitCode: 0, output: 'Everything up-to-date' })
  expect(await push(':feature')).toMatchObject({ exitCode: 0, output: containing('[deleted]') })
})

test('a push obeys the same rules as over HTTP and shows the reasons', async () => {
  const scene = await openScene()
  const tree = await workTree()
  const push = (...args: string[]) => gitOverSsh(tree, scene.key, 'push', scene.remote(), ...args)
  expect(await push('main')).toMatchObject({ exitCode: 0 })
  await scene.database
    .insertInto('push_rule')
    .values({ project_id: scene.project.id, commit_message_regex: '^ticket', created_at: 0 })
    .execute()
  await commit(tree, { b: 'b' })
  const refused = await push('main')
  expect(refused.exitCode).toBe(1)
  expect(refused.output).toContain('pre-receive hook declined')
  const deleted = await push(':main')
  expect(deleted.exitCode).toBe(1)
  expect(deleted.output).toContain('remote rejected')
})

test('a push to where there is no project makes a private one', async () => {
  const scene = await openScene()
  const tree = await workTree()
  const pushed = await gitOverSsh(tree, scene.key, 'push', scene.remote('ada/new.git'), 'main')
  expect(pushed.output).toContain('The private project ada/new was successfully created.')
  expect(pushed.exitCode).toBe(0)
})

test('a deploy key reads or writes only the projects that have enabled it', async () => {
  const scene = await openScene()
  const [reader, writer] = [
    await deployKey(scene, [scene.project], false),
    await deployKey(scene, [scene.project], true),
  ]
  const tree = await workTree()
  const refused = await gitOverSsh(tree, reader, 'push', scene.remote(), 'main:feature')
  expect(refused).toEqual({
    exitCode: 128,
    output: containing('You are not allowed to push code to this project.'),
  })
  expect(await gitOverSsh(tree, writer, 'push', scene.remote(), 'main:feature')).toMatchObject({
    exitCode: 0,
  })
  const listed = await gitOverSsh('/', reader, 'ls-remote', scene.remote())
  expect(listed).toEqual({ exitCode: 0, output: containing('refs/heads/feature') })
  const reading = ['ls-remote', scene.remote('ada/other.git')]
  const writing = ['push', scene.remote('ada/other.git'), 'main']
  const tries = variants<[typeof reader, string[]]>(
    [
      [reader, reading],
      [writer, writing],
    ],
    [
      [reader, writing],
      [writer, reading],
    ],
  )
  for (const [key, args] of tries) {
    const foreign = await gitOverSsh(tree, key, ...args)
    expect(foreign).toEqual({ exitCode: 128, output: containing('could not be found') })
  }
})

test('a deploy key does not push for a creator who lost the access to push', async () => {
  const scene = await openScene()
  const writer = await deployKey(scene, [scene.project], true)
  const tree = await workTree()
  await scene.database.updateTable('user').set({ state: 'blocked' }).where('id', '=', scene.ada.id).execute()
  const refused = await gitOverSsh(tree, writer, 'push', scene.remote(), 'main:feature')
  expect(refused.exitCode).toBe(128)
  expect(refused.output).toContain('not allowed to push')
})

test('host keys are made once, for their owner only, also by coordinators that start together', async () => {
  const folder = await tempDir()
  const starts = await Promise.all([hostKeys(folder), hostKeys(folder), hostKeys(folder)])
  expect(new Set(starts.map((keys) => keys.join()))).toHaveLength(1)
  expect(await hostKeys(folder)).toEqual(starts[0])
  const { mode } = await stat(join(folder, 'ssh_host_ed25519_key'))
  expect(mode & 0o777).toBe(0o600)
})

test('SSH addresses of projects name the port of the server', async () => {
  const scene = await openScene()
  const { externalUrl } = scene.services.engine.server
  const { hostname } = new URL(externalUrl)
  expect(sshUrl('ada/app', externalUrl)).toBe(`ssh://git@${hostname}:${scene.server.port}/ada/app.git`)
  expect(sshUrl('ada/app', 'http://elsewhere.example.com')).toBe('git@elsewhere.example.com:ada/app.git')
})

test('the server stops after the commands that run, and accepts no connection any more', async () => {
  const scene = await openSshScene()
  const tree = await workTree()
  expect(await gitOverSsh(tree, scene.key, 'push', scene.remote(), 'main')).toMatchObject({ exitCode: 0 })
  await scene.server.stop()
  expect(await gitOverSsh('/', scene.key, 'ls-remote', scene.remote())).toMatchObject({ exitCode: 128 })
  expect(await gitOk(scene.services.repositories.path(scene.project.id), 'branch', '--list')).toContain(
    'main',
  )
})

test('a wiki is pushed and cloned by the roles of the API, and only its main branch', async () => {
  const scene = await openScene()
  const at = scene.remote('ada/app.wiki.git')
  const tree = await workTree({ 'home.md': '# A' })
  expect(await gitOverSsh(tree, scene.key, 'push', at, 'main')).toMatchObject({ exitCode: 0 })
  const { size } = await scene.database.selectFrom('wiki').selectAll().executeTakeFirstOrThrow()
  expect(size).toBeGreaterThan(0)
  expect(await gitOverSsh(tree, scene.key, 'push', at, 'main:other')).toMatchObject({ exitCode: 1 })
  const folder = join(await tempDir(), 'clone')
  expect(await gitOverSsh('/', scene.key, 'clone', '--quiet', at, folder)).toMatchObject({ exitCode: 0 })
  expect(await readFile(join(folder, 'home.md'), 'utf8')).toBe('# A')
  const key = await deployKey(scene, [scene.project], true)
  expect(await gitOverSsh('/', key, 'ls-remote', at)).toMatchObject({ exitCode: 0 })
  await commit(tree, { b: 'b' })
  const refused = await gitOverSsh(tree, key, 'push', at, 'main')
  expect(refused.output).toContain('You are not allowed to write to this wiki.')
})

test('a port that is taken is reported with the setting that names it', async () => {
  const { services, server } = await openScene()
  const settings = { ...services.settings, sshListen: { host: '127.0.0.1', port: server.port } }
  const starting = serveSsh({ ...services, settings }, pushDeps(services), appParts(services))
  await expect(starting).rejects.toThrow(
    `Cannot listen on 127.0.0.1:${server.port}: another process listens there. ` +
      'Stop it, or choose another port with ssh.listen.',
  )
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
  expect(readSshCommand("git-upload-pack '/team.wiki.git'")).toMatchObject({ fullPath: 'team.wiki' })
  expect(readSshCommand("git-upload-pack '/team.git'")).toBeUndefined()
})

test('git uses SSH only if the settings allow it', async () => {
  const scene = await openScene()
  await setSettings(scene.services, { enabled_git_access_protocol: 'http' })
  expect(await gitOverSsh('/', scene.key, 'ls-remote', scene.remote())).toMatchObject({
    exitCode: 128,
    output: containing('Git access over SSH is not allowed'),
  })
})

test('the last use of a key is recorded', async () => {
  const scene = await openScene()
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

test('a user who tries a key without a command is greeted by name', async () => {
  const scene = await openScene()
  const client = await login(scene, withKey(scene.key))
  const greeted = new Promise((resolve, reject) => {
    client.shell(false, (error, channel) => {
      if (error) return reject(error)
      let text = ''
      channel.on('data', (piece: Buffer) => (text += piece.toString()))
      let status: number | undefined
      channel.on('exit', (code: number) => (status = code))
      channel.on('close', () => resolve({ status, text }))
      channel.end()
    })
  })
  expect(await greeted).toEqual({ status: 0, text: 'Welcome to Switchyard, @ada!\n' })
})
