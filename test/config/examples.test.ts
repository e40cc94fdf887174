import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { readCoordinatorSettings } from '../../src/coordinator/start/config/settings.js'
import { VERSION } from '../../src/lib/version.js'
import { loadSettings } from '../../src/runner/config/load-settings.js'
import type { RunnerRegistration } from '../../src/runner/config/settings.js'
import { DEFAULT_BUILDS_DIR } from '../../src/runner/workspace/layout.js'
import { tempDir } from '../support/temp-dir.js'

const COORDINATOR = 'config/coordinator.toml.example'
const RUNNER = 'config/runner.config.toml.example'
const RUNNER_HOSTS = 'config/runner-hosts.toml.example'
const RUNNER_KUBERNETES = 'config/runner-kubernetes.toml.example'

test("the coordinator's example says what holds without it", () => {
  // What a file gives is fixed, even with the default.
  const { fixed: _, ...settings } = readCoordinatorSettings({ config: COORDINATOR }, {})
  const { fixed: __, ...defaults } = readCoordinatorSettings({}, {})
  expect(settings).toEqual(defaults)
})

test("the coordinator's example is still valid with every line in force", async () => {
  const folder = await tempDir()
  await uncommented(COORDINATOR, join(folder, 'coordinator.toml'))
  const settings = readCoordinatorSettings({ config: join(folder, 'coordinator.toml') }, {})
  expect(settings).toMatchObject({ externalUrl: 'https://switchyard.example.com' })
  expect(settings.database).toMatchObject({ dialect: 'postgres' })
})

test("the runner's example says what holds for the shortest file", async () => {
  const folder = await tempDir()
  const [example, shortest] = [join(folder, 'example.toml'), join(folder, 'shortest.toml')]
  await copyFile(RUNNER, example)
  await writeFile(
    shortest,
    `[[runners]]
     url = "https://switchyard.example.com"
     token = "$RUNNER_TOKEN"
     executor = "docker"
     [runners.docker]
     image = "alpine:3.20"`,
  )
  const environment = { RUNNER_TOKEN: 'glrt-example' }
  const [given, defaults] = [
    await loadSettings(example, environment),
    await loadSettings(shortest, environment),
  ]
  expect(given.warnings).toEqual([])
  expect(given.settings.runners[0]).toMatchObject({ token: 'glrt-example' })
  expect(withoutEmpty({ ...given.settings, configFile: shortest })).toEqual(withoutEmpty(defaults.settings))
})

test("the runner's example is still valid with every line in force", async () => {
  const folder = await tempDir()
  await mkdir(join(folder, 'etc'))
  await uncommented(RUNNER, join(folder, 'etc/config.toml'))
  const { settings, warnings } = await loadSettings(join(folder, 'etc/config.toml'), {})
  expect(warnings).toEqual([])
  expect(settings.runners[0]?.cache).toMatchObject({ kind: 's3', prefix: 'ci', s3: { bucketName: 'caches' } })
  expect(settings.runners[0]?.docker).toMatchObject({
    memory: 2 * 1024 ** 3,
    cpus: 1.5,
    networkMode: 'bridge',
  })
})

test("the runner's example shows the tables of the other executors, with their defaults", async () => {
  const hosts = await loadExecutor('docker-hosts', '[[runners.docker_hosts]]')
  expect(hosts).toMatchObject([
    {
      dockerHosts: [
        { name: 'build-2', engine: { host: 'ssh://ci@build-2', tlsVerify: false }, concurrent: 1, weight: 1 },
      ],
    },
  ])
  const [shown] = await loadExecutor('docker-autoscaler', '[runners.autoscaler]')
  const commands = ['create', 'delete', 'list', 'connect'].map((name) => `${name} = ["/m"]`)
  const [shortest] = await loadRunners(
    `${IDENTITY}executor = "docker-autoscaler"\n[runners.docker]\nimage = "a"\n[runners.autoscaler]
     plugin = "command"\n[[runners.autoscaler.policy]]\n[runners.autoscaler.plugin_config]\n${commands.join('\n')}`,
  )
  const { autoscaler } = shortest ?? {}
  if (!autoscaler || !('policies' in autoscaler)) throw new Error('The shortest table was not read')
  expect(shown?.autoscaler).toEqual({
    ...autoscaler,
    // What has no default.
    plugin: expect.objectContaining({ kind: 'command' }) as unknown,
    pool: 'ci',
    instanceReadyCommand: 'docker info',
    policies: autoscaler.policies.map((policy) => ({ ...policy, timezone: 'Europe/Berlin' })),
  })
})

test("the example of several Docker hosts is valid, and shows the defaults of a host's settings", async () => {
  const file = join(await tempDir(), 'config.toml')
  await copyFile(RUNNER_HOSTS, file)
  const { settings, warnings } = await loadSettings(file, { RUNNER_TOKEN: 'glrt-example' })
  expect(warnings).toEqual([])
  expect(settings.runners[0]?.dockerHosts).toMatchObject([
    { name: 'here', concurrent: 2, weight: 1 },
    { name: 'build-2', engine: { host: 'ssh://ci@build-2' }, concurrent: 6, weight: 3 },
    { name: 'build-3:2222', concurrent: 4, weight: 2 },
  ])
})

test('the example of a cluster is valid, and its comments show defaults', async () => {
  const folder = await tempDir()
  await writeFile(join(folder, 'kubeconfig'), '')
  const text = (await readFile(RUNNER_KUBERNETES, 'utf8')).replaceAll('/etc/switchyard-runner', folder)
  const environment = { RUNNER_TOKEN: 'glrt-example' }
  const [given] = await loadRunners(text, environment)
  const [all] = await loadRunners(text.replaceAll(/^# (?=[\w-]+ = )/gm, ''), environment)
  expect(given?.kubernetes).toMatchObject({ namespace: 'switchyard-jobs', pollTimeoutSeconds: 180 })
  expect(given?.kubernetes?.helperImage).toBe(`registry.example.com/switchyard:${VERSION}`)
  expect(withoutEmpty({ ...all?.kubernetes })).toEqual(
    withoutEmpty({
      ...given?.kubernetes,
      // What has no default.
      host: 'https://10.0.0.1:6443',
      kubeconfig: join(folder, 'kubeconfig'),
      context: 'production',
      namespaceOverwriteAllowed: '^switchyard-jobs-[a-z]+$',
    }),
  )
  expect(all?.buildsDir).toBe(DEFAULT_BUILDS_DIR)
})

const IDENTITY = 'concurrent = 10\n[[runners]]\nurl = "https://a"\ntoken = "glrt-a"\n'

/** The registration with the tables of an executor at the end of the example, which begin with `first`. */
async function loadExecutor(executor: string, first: string): Promise<RunnerRegistration[]> {
  const text = await readFile(RUNNER, 'utf8')
  const block = text.slice(text.indexOf(`#   ${first}`)).split('\n\n')[0] ?? ''
  const folder = await tempDir()
  await writeFile(join(folder, 'id_ed25519'), '', { mode: 0o600 })
  await mkdir(join(folder, 'build-2'))
  const tables = block.replaceAll(/^# {3}/gm, '').replaceAll('/etc/switchyard-runner', folder)
  return await loadRunners(`${IDENTITY}executor = "${executor}"\n[runners.docker]\nimage = "a"\n${tables}`)
}

async function loadRunners(text: string, environment: NodeJS.ProcessEnv = {}): Promise<RunnerRegistration[]> {
  const file = join(await tempDir(), 'config.toml')
  await writeFile(file, text)
  const { settings, warnings } = await loadSettings(file, environment)
  expect(warnings).toEqual([])
  return settings.runners
}

/** Copies the file with the settings that are comments put in force. */
async function uncommented(from: string, to: string): Promise<void> {
  const text = await readFile(from, 'utf8')
  await writeFile(to, text.replaceAll(/^# (?=[\w-]+ = )/gm, ''))
}

/** An executor reads false, 0, an empty list and the first default as it reads nothing at all. */
function withoutEmpty(value: object): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, item: unknown) => {
      const isDefault = item === false || item === 0 || (Array.isArray(item) && item.length === 0)
      if (key === 'servicesLimit' && item === -1) return undefined
      if (key === 'waitForServicesSeconds' && item === 30) return undefined
      return isDefault || (key === 'pullPolicy' && String(item) === 'always') ? undefined : item
    }),
  )
}
