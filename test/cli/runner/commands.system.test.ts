import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'

import { parse } from 'smol-toml'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'

import { runnerCommand } from '../../../src/cli/commands/runner/index.js'
import { startSwitchyard } from '../../integration/support/processes.js'
import { MisbehavingCoordinator } from '../../support/misbehaving-coordinator.js'
import { testAtNight } from '../../support/nightly.js'
import { tempDir } from '../../support/temp-dir.js'

let output: string[]
let errors: string[]

beforeEach(() => {
  output = []
  errors = []
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => output.push(String(text)) > 0)
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => errors.push(String(text)) > 0)
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  process.exitCode = 0
})

async function startCoordinator(): Promise<MisbehavingCoordinator> {
  const coordinator = await MisbehavingCoordinator.start()
  onTestFinished(() => coordinator.stop())
  return coordinator
}

/** Responses the exit code. */
async function runner(...args: string[]): Promise<number> {
  process.exitCode = 0
  await runnerCommand().parseAsync(args, { from: 'user' })
  return exitCode()
}

function exitCode(): number {
  return Number(process.exitCode)
}

function registerFlags(url: string, file: string): string[] {
  return [
    'register',
    '--non-interactive',
    '--url',
    url,
    '--executor',
    'docker',
    '--docker-image',
    'busybox',
    '--config',
    file,
  ]
}

async function entriesIn(file: string) {
  const { runners } = parse(await readFile(file, 'utf8'))
  return (runners ?? []) as Record<string, unknown>[]
}

describe('runner register', () => {
  test('with a registration token: sends the properties for the coordinator and writes the others to the file', async () => {
    const coordinator = await startCoordinator()
    const file = join(await tempDir(), 'config.toml')
    const flags = [
      '--registration-token',
      'reg',
      '--tag-list',
      'a, b',
      '--name',
      'mine',
      '--run-untagged',
      '--locked=false',
    ]
    const more = [
      '--maximum-timeout',
      '600',
      '--access-level',
      'ref_protected',
      '--docker-pull-policy',
      'never',
      '--limit',
      '2',
    ]
    expect(await runner(...registerFlags(coordinator.url, file), ...flags, ...more)).toBe(0)
    expect(JSON.parse(coordinator.callsOf('register')[0]?.body.toString() ?? '')).toMatchObject({
      token: 'reg',
      description: 'mine',
      tag_list: 'a,b',
      run_untagged: true,
      locked: false,
      access_level: 'ref_protected',
      maximum_timeout: 600,
    })
    expect(await entriesIn(file)).toMatchObject([
      {
        name: 'mine',
        url: coordinator.url,
        id: 1,
        token: 'glrt-runner-token',
        executor: 'docker',
        limit: 2,
        docker: { image: 'busybox', pull_policy: 'never' },
      },
    ])
  })

  test('refuses a token that the file has already, and says where its settings are', async () => {
    const coordinator = await startCoordinator()
    const file = join(await tempDir(), 'config.toml')
    const flags = ['--token', 'glrt-runner-token', '--name', 'mine']
    expect(await runner(...registerFlags(coordinator.url, file), ...flags)).toBe(0)
    expect(await runner(...registerFlags(`${coordinator.url}/`, file), ...flags)).toBe(1)
    expect(errors.join('')).toContain(
      'Runner "mine" (runner-to) is registered already: change its settings in',
    )
    expect(await entriesIn(file)).toHaveLength(1)
  })

  test('takes answers from a pipe, one a line, and ends when they are over', async () => {
    const coordinator = await startCoordinator()
    const file = join(await tempDir(), 'config.toml')
    const given = [coordinator.url, 'no token', 'glrt-runner-token', 'piped', 'alpine:3.20', 'left over']
    const answer = (lines: string[]) =>
      vi
        .spyOn(process, 'stdin', 'get')
        .mockReturnValue(Readable.from([lines.join('\n')]) as typeof process.stdin)
    answer(given)
    expect(await runner('register', '--config', file)).toBe(0)
    expect(output.join('')).toContain('A token has no spaces.')
    expect(await entriesIn(file)).toMatchObject([{ name: 'piped', docker: { image: 'alpine:3.20' } }])
    answer([coordinator.url])
    expect(await runner('register', '--config', file)).toBe(1)
    expect(errors.join('')).toContain('--url (CI_SERVER_URL) is missing')
    expect(errors.join('')).toContain('The input has no line for a question')
  })

  test('with the token of an existing runner: only verifies it', async () => {
    const coordinator = await startCoordinator()
    const file = join(await tempDir(), 'config.toml')
    expect(await runner(...registerFlags(coordinator.url, file), '--token', 'glrt-runner-token')).toBe(0)
    expect(coordinator.callsOf('register')).toHaveLength(0)
    expect(coordinator.callsOf('verify')).toHaveLength(1)
    expect(await entriesIn(file)).toHaveLength(1)
  })

  test('takes values from flags first and then from the environment', async () => {
    const coordinator = await startCoordinator()
    const file = join(await tempDir(), 'config.toml')
    const variables = {
      CI_SERVER_URL: 'http://127.0.0.1:1',
      REGISTRATION_TOKEN: 'reg',
      RUNNER_EXECUTOR: 'docker',
      DOCKER_IMAGE: 'from-environment',
      RUNNER_TAG_LIST: 'x',
      CONFIG_FILE: file,
      REGISTER_NON_INTERACTIVE: 'true',
    }
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
    expect(await runner('register', '--url', coordinator.url)).toBe(0)
    expect(await entriesIn(file)).toMatchObject([{ docker: { image: 'from-environment' } }])
  })

  test('treats an empty variable as unset', async () => {
    const coordinator = await startCoordinator()
    const file = join(await tempDir(), 'config.toml')
    for (const name of [
      'RUNNER_LIMIT',
      'DOCKER_PRIVILEGED',
      'RUNNER_ENV',
      'DOCKER_TMPFS',
      'REGISTER_LOCKED',
    ]) {
      vi.stubEnv(name, '')
    }
    expect(await runner(...registerFlags(coordinator.url, file), '--registration-token', 'reg')).toBe(0)
    expect(Object.keys((await entriesIn(file))[0] ?? {})).toEqual([
      'name',
      'url',
      'id',
      'token',
      'token_obtained_at',
      'token_expires_at',
      'executor',
      'docker',
    ])
  })

  test('lists everything that is missing, one per line', async () => {
    expect(await runner('register', '--non-interactive')).toBe(1)
    expect(errors).toEqual([
      '--url (CI_SERVER_URL) is missing\n',
      '--token (CI_SERVER_TOKEN) or --registration-token (REGISTRATION_TOKEN) is missing\n',
      '--docker-image (DOCKER_IMAGE) is missing\n',
    ])
  })

  test('with a runner token rejects properties that only the coordinator can change', async () => {
    const coordinator = await startCoordinator()
    const file = join(await tempDir(), 'config.toml')
    expect(
      await runner(...registerFlags(coordinator.url, file), '--token', 'glrt-x', '--tag-list', 'a'),
    ).toBe(1)
    expect(errors.join('')).toContain('--tag-list is stored by the coordinator')
    expect(coordinator.calls).toHaveLength(0)
  })

  test('reports an invalid registration token', async () => {
    const coordinator = await startCoordinator()
    const file = join(await tempDir(), 'config.toml')
    coordinator.misbehave('register', { status: 403 })
    expect(await runner(...registerFlags(coordinator.url, file), '--registration-token', 'bad')).toBe(1)
    expect(errors.join('')).toContain('The registration token is not valid')
  })

  test('unregisters the runner if the file cannot be written', async () => {
    const coordinator = await startCoordinator()
    const directory = await tempDir()
    const file = join(directory, 'config.toml')
    // A directory in the way of the file is only noticed when the file is to be replaced.
    coordinator.onCall = async (call) => {
      if (call.route === 'register') await mkdir(file)
    }
    expect(await runner(...registerFlags(coordinator.url, file), '--registration-token', 'reg')).toBe(1)
    expect(errors.join('')).toContain('cannot be read')
    expect(coordinator.callsOf('remove')).toHaveLength(1)
  })
})

test('an interrupted registration is undone', async () => {
  const coordinator = await startCoordinator()
  const file = join(await tempDir(), 'config.toml')
  const flags = [...registerFlags(coordinator.url, file), '--registration-token', 'reg']
  const started = startSwitchyard(['runner', ...flags])
  onTestFinished(() => started.kill('SIGKILL'))
  coordinator.onCall = async (call) => {
    if (call.route === 'register') started.child.kill('SIGINT')
  }
  await once(started.child, 'close')
  expect(started.child.exitCode).toBe(1)
  expect(started.log()).toBe('The runner was removed from the coordinator again\nInterrupted\n')
  expect(coordinator.callsOf('remove')).toHaveLength(1)
  await expect(readFile(file)).rejects.toThrow('ENOENT')
})

describe('registered runners', () => {
  async function registered(coordinator: MisbehavingCoordinator): Promise<string> {
    const file = join(await tempDir(), 'config.toml')
    coordinator.validTokens.add('glrt-second-token')
    for (const [name, token] of Object.entries({ one: 'glrt-runner-token', two: 'glrt-second-token' })) {
      await runner(...registerFlags(coordinator.url, file), '--token', token, '--name', name)
    }
    return file
  }

  test('are listed', async () => {
    const coordinator = await startCoordinator()
    const file = await registered(coordinator)
    output = []
    expect(await runner('list', '--config', file)).toBe(0)
    expect(output[0]).toBe(`one  Executor=docker Token=glrt-runner-token URL=${coordinator.url}\n`)
    expect(output).toHaveLength(2)
  })

  test('are verified, and a deleted one is reported', async () => {
    const coordinator = await startCoordinator()
    const file = await registered(coordinator)
    expect(await runner('verify', '--config', file)).toBe(0)
    coordinator.validTokens.clear()
    expect(await runner('verify', '--config', file, '--name', 'two')).toBe(1)
    expect(errors).toEqual([
      'Runner "two" (second-to) is not valid: it was removed; use --delete to remove it from the settings\n',
    ])
  })

  test('are unregistered one by one or all at once', async () => {
    const coordinator = await startCoordinator()
    const file = await registered(coordinator)
    expect(await runner('unregister', '--config', file)).toBe(1)
    expect(await runner('unregister', '--config', file, '--name', 'one')).toBe(0)
    expect(await entriesIn(file)).toMatchObject([{ name: 'two' }])
    expect(coordinator.callsOf('remove')[0]?.path).toBe('/api/v4/runners/managers')
    expect(await runner('unregister', '--config', file, '--all-runners')).toBe(0)
    expect(await entriesIn(file)).toEqual([])
  })

  test('that are in the file twice get one new token, and are unregistered once', async () => {
    const coordinator = await startCoordinator()
    const file = join(await tempDir(), 'config.toml')
    const entry = `[[runners]]\nurl = "${coordinator.url}"\ntoken = "glrt-runner-token"\nexecutor = "docker"\n`
    await writeFile(file, `${entry}name = "one"\n${entry}name = "two"\n`)
    expect(await runner('reset-token', '--config', file, '--all-runners')).toBe(0)
    const [first, second] = await entriesIn(file)
    expect(first?.['token']).not.toBe('glrt-runner-token')
    expect(second?.['token']).toBe(first?.['token'])
    expect(await runner('unregister', '--config', file, '--all-runners')).toBe(0)
    expect(coordinator.callsOf('remove')).toHaveLength(1)
    expect(await entriesIn(file)).toEqual([])
  })

  testAtNight('are unregistered by URL and token without a file of settings', async () => {
    const coordinator = await startCoordinator()
    const file = join(await tempDir(), 'config.toml')
    const runnerOf = ['--url', coordinator.url, '--token', 'glrt-runner-token']
    expect(await runner('unregister', '--config', file, ...runnerOf)).toBe(0)
    expect(coordinator.callsOf('remove')).toHaveLength(1)
    expect(existsSync(file)).toBe(false)
  })

  test('stay in the settings if the coordinator cannot delete them', async () => {
    const coordinator = await startCoordinator()
    const file = await registered(coordinator)
    coordinator.misbehave('remove', { status: 404 })
    expect(await runner('unregister', '--config', file, '--name', 'one')).toBe(1)
    expect(await entriesIn(file)).toHaveLength(2)
  })
})
