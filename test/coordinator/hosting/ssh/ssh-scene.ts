import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import ssh2 from 'ssh2'
import { expect } from 'vitest'

import { createUser } from '../../../../src/coordinator/accounts/users/account/create-user.js'
import { addSshKey } from '../../../../src/coordinator/accounts/users/keys/ssh-keys.js'
import { addKey } from '../../../../src/coordinator/hosting/deploy-keys/deploy-keys.js'
import { createProject } from '../../../../src/coordinator/hosting/projects/create/create-project.js'
import type { SshLimits, SshTimeouts } from '../../../../src/coordinator/hosting/ssh/ssh-server-deps.js'
import { appParts } from '../../../../src/coordinator/start/app-parts.js'
import { serveSsh } from '../../../../src/coordinator/start/serve-ssh.js'
import { pushDeps } from '../../../../src/coordinator/start/services/push-deps.js'
import { launchProgram } from '../../../../src/git/launch-program.js'
import { type OpenDatabase, openSqlite } from '../../../support/databases.js'
import type { ClientResult } from '../../../support/git-client.js'
import { onFinished } from '../../../support/lifetime.js'
import { sceneForFile } from '../../../support/scene-for-file.js'
import { tempDir } from '../../../support/temp-dir.js'
import { NO_IMPORTS } from '../../support/no-imports.js'
import { openTestServices } from '../../support/test-coordinator.js'

export type SshScene = Awaited<ReturnType<typeof openSshScene>>

export interface KeyFiles {
  private: string
  public: string
  /** Path of the private key. */
  file: string
}

/** A coordinator that serves git over SSH on a loopback port, with the private project `ada/app` of Ada and her key. */
export async function openSshScene({ open = openSqlite, ...options }: SshSceneOptions = {}) {
  return withProjects(await listen(open, options))
}

/** Starts it once for all tests of a file. Each gets an empty store, and projects that no other test has had. */
export function sshSceneForFile(): () => Promise<SshScene> {
  const listening = sceneForFile((open) => listen(open))
  return async () => {
    const scene = await listening()
    await scene.services.instanceSettings.load()
    return withProjects(scene)
  }
}

interface SshSceneOptions {
  timeouts?: Partial<SshTimeouts>
  limits?: Partial<SshLimits>
  externalUrl?: string
  open?: OpenDatabase
}

async function listen(open: OpenDatabase, { externalUrl, ...overrides }: Omit<SshSceneOptions, 'open'> = {}) {
  const services = await openTestServices({
    open,
    ...(externalUrl !== undefined && { externalUrl }),
    settings: { sshListen: { host: '127.0.0.1', port: 0 } },
  })
  const server = await serveSsh(services, pushDeps(services), appParts(services), overrides)
  if (!server) throw new Error('The SSH server was not started')
  onFinished(() => server.stop())
  return { services, server }
}

async function withProjects({ services, server }: Awaited<ReturnType<typeof listen>>) {
  const { database } = services
  const ada = await createUser(database, { username: 'ada', name: 'Ada', email: 'ada@example.com' })
  const project = await createProject({ ...services, imports: NO_IMPORTS }, { name: 'app' }, ada)
  const other = await createProject({ ...services, imports: NO_IMPORTS }, { name: 'other' }, ada)
  const key = await newKey()
  await addSshKey(database, ada.id, { title: 'laptop', key: key.public })
  const remote = (path = 'ada/app.git') => `ssh://git@127.0.0.1:${server.port}/${path}`
  return { services, database, ada, project, other, server, key, remote }
}

export async function newKey(kind: 'ed25519' | 'rsa' = 'ed25519'): Promise<KeyFiles> {
  const made = makeKey(kind)
  const folder = await tempDir()
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'key')
  await writeFile(file, made.private, { mode: 0o600 })
  return { ...made, file }
}

/** Some of the keys that the library makes are malformed. */
function makeKey(kind: 'ed25519' | 'rsa'): { private: string; public: string } {
  for (;;) {
    const made =
      kind === 'rsa'
        ? ssh2.utils.generateKeyPairSync('rsa', { bits: 2048 })
        : ssh2.utils.generateKeyPairSync('ed25519')
    if (!(ssh2.utils.parseKey(made.private) instanceof Error)) return made
  }
}

/** A deploy key of these projects. */
export async function deployKey(
  { database, ada }: SshScene,
  projects: SshScene['project'][],
  canPush: boolean,
): Promise<KeyFiles> {
  const key = await newKey()
  for (const project of projects) {
    const deps = { database, mayAdminister: async () => true }
    await addKey(deps, project, ada, { title: 'machine', key: key.public, can_push: canPush })
  }
  return key
}

/** The command of the real ssh client with this key and further options. */
export function sshCommand(key: KeyFiles, ...options: string[]): string {
  return [
    `ssh -F /dev/null -i ${key.file}`,
    ...['IdentitiesOnly=yes', 'IdentityAgent=none', 'BatchMode=yes', 'StrictHostKeyChecking=no'],
    ...['UserKnownHostsFile=/dev/null', 'LogLevel=ERROR'],
    ...options,
  ].join(' -o ')
}

/** The real git client with the real ssh client and this key. */
export function gitOverSsh(cwd: string, key: KeyFiles, ...args: string[]): Promise<ClientResult> {
  return gitWithSsh(cwd, sshCommand(key), ...args)
}

/** The real git client with this command. */
export async function gitWithSsh(cwd: string, ssh: string, ...args: string[]): Promise<ClientResult> {
  const program = {
    file: 'git',
    args,
    cwd,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: '/nonexistent',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_SSH_COMMAND: ssh,
    },
    isGroup: false,
    maxOutputBytes: Infinity,
  }
  const { exitCode, stdout, stderr, failure } = await launchProgram(program).ended
  return { exitCode, output: [stdout, stderr, failure].join('').trimEnd() }
}

/** A matcher, typed. */
export function containing(text: string): unknown {
  return expect.stringContaining(text)
}
