import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { parse } from 'smol-toml'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { runnerCommand } from '../../../src/cli/commands/runner/index.js'
import { type CommandResult, runSwitchyard } from '../../integration/support/processes.js'
import { runInProcess } from '../../integration/support/run-in-process.js'
import { System } from '../../integration/support/system.js'
import { testAtNight } from '../../support/nightly.js'
import { tempDir } from '../../support/temp-dir.js'
import { TerminalSession } from './support/terminal-session.js'

let system: System
let registrationToken: string
let file: string

beforeAll(async () => {
  system = await System.startInProcess()
  const tokenFile = join(system.directory, 'coordinator', 'runner-registration-token')
  registrationToken = (await readFile(tokenFile, 'utf8')).trim()
})

afterAll(() => system.stop())

beforeEach(async () => {
  file = join(await tempDir(), 'settings', 'config.toml')
})

function runner(...args: string[]): Promise<CommandResult> {
  return runInProcess(runnerCommand, args, { environment: { CONFIG_FILE: file } })
}

function registration(name: string, ...more: string[]): string[] {
  const values = ['--url', system.api.url, '--registration-token', registrationToken, '--name', name]
  return ['register', '--non-interactive', ...values, '--docker-image', 'busybox', ...more]
}

function register(name: string, ...more: string[]): Promise<CommandResult> {
  return runner(...registration(name, ...more))
}

/** A runner that a user made; returns its token. */
async function createdRunner(): Promise<{ id: number; token: string }> {
  const response = await system.api.request('POST', '/user/runners', { runner_type: 'instance_type' })
  return (await response.json()) as { id: number; token: string }
}

async function entries(): Promise<Record<string, unknown>[]> {
  const { runners } = parse(await readFile(file, 'utf8'))
  return (runners ?? []) as Record<string, unknown>[]
}

async function runnersAtCoordinator(): Promise<{ description: string }[]> {
  return (await (await system.api.request('GET', '/runners/all?per_page=100')).json()) as {
    description: string
  }[]
}

describe('runner register with a coordinator', () => {
  test('creates a runner at the coordinator and a file that only its owner can read', async () => {
    const flags = ['--tag-list', 'a,b', '--docker-cap-add', 'NET_ADMIN', '--limit', '3']
    const command = ['runner', ...registration('built', ...flags)]
    const result = await runSwitchyard(command, { CONFIG_FILE: file })
    expect(result.exitCode).toBe(0)
    expect(result.stdout).toMatch(
      /^Runner "built" \(\S{9}\) is registered; its settings are in \S+config\.toml\n$/,
    )
    const [entry] = await entries()
    expect(entry).toMatchObject({
      name: 'built',
      url: system.api.url,
      limit: 3,
      docker: { image: 'busybox' },
    })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await runnersAtCoordinator()).toContainEqual(expect.objectContaining({ description: 'built' }))
    expect((await runner('lint')).exitCode).toBe(0)
  })

  test('accepts an existing runner, and rejects properties that only the coordinator stores', async () => {
    const { id, token } = await createdRunner()
    const values = ['--url', system.api.url, '--token', token, '--docker-image', 'busybox']
    const refused = await runner('register', '-n', ...values, '--tag-list', 'a', '--locked=false')
    expect(refused).toMatchObject({
      exitCode: 1,
      stderr:
        '--tag-list is stored by the coordinator and cannot be given with --token\n' +
        '--locked is stored by the coordinator and cannot be given with --token\n' +
        'Set it where the runner was created, in its settings at the coordinator, or register with --registration-token\n',
    })
    expect((await runner('register', '-n', ...values)).exitCode).toBe(0)
    expect(await entries()).toMatchObject([{ id, token }])
  })

  test('reports a wrong token, address or executor', async () => {
    expect((await register('x', '--registration-token', 'wrong')).stderr).toContain(
      'The registration token is not valid',
    )
    const unreachable = await register('x', '--url', 'http://127.0.0.1:1')
    expect(unreachable.stderr).toContain('The coordinator at http://127.0.0.1:1 cannot be reached')
    expect((await register('x', '--executor', 'shell')).stderr).toContain('--executor shell is not supported')
    const noFile = await register('x', '--tls-ca-file', '/nowhere/ca.crt')
    expect(noFile.stderr).toContain('/nowhere/ca.crt: cannot be read')
    await expect(stat(file)).rejects.toThrow('ENOENT')
  })

  test('merges a template below the flags', async () => {
    const template = join(await tempDir(), 'template.toml')
    await writeFile(
      template,
      '[[runners]]\nlimit = 7\noutput_limit = 100\n[runners.docker]\nimage = "x"\nvolumes = ["/a"]\nhelper_image = "y"\n[runners.docker.sysctls]\n"net.a" = "1"\n',
    )
    const flags = ['--template-config', template, '--limit', '2', '--docker-sysctls', 'net.b=2']
    const result = await register('templated', ...flags)
    expect(result.exitCode).toBe(0)
    expect(result.stderr).toContain('runners[0].docker.helper_image has no effect on this runner')
    expect(await entries()).toMatchObject([
      {
        limit: 2,
        output_limit: 100,
        docker: { image: 'busybox', volumes: ['/a'], sysctls: { 'net.a': '1', 'net.b': '2' } },
      },
    ])
    await writeFile(template, '[[runners]]\n[[runners]]\n')
    expect((await register('y', '--template-config', template)).stderr).toContain(
      'must have exactly one [[runners]] table',
    )
  })
})

describe('interactive runner register', () => {
  test('asks for missing values, and again after an invalid response', async () => {
    const session = TerminalSession.start(['runner', 'register'], { CONFIG_FILE: file })
    await session.answer('URL of the coordinator', 'ci.example.com\r')
    await session.answer('A URL begins with http://', '')
    await session.answer('URL of the coordinator', `${system.api.url}\r`)
    await session.answer('Token of a created runner', 'glrt-wrong\r')
    await session.answer('The coordinator knows no runner with this token.', '')
    await session.answer('Token of a created runner', `${registrationToken}\r`)
    await session.answer('Name of this runner', 'typed\r')
    await session.answer('Tags of jobs', 'x, y\r')
    await session.answer('Image for jobs', 'busybox\r')
    expect(await session.exitCode()).toBe(0)
    expect(session.output).toContain('Runner "typed"')
    expect(await entries()).toMatchObject([{ name: 'typed', docker: { image: 'busybox' } }])
  })

  testAtNight('asks for no tags of an existing runner', async () => {
    const { token } = await createdRunner()
    const session = TerminalSession.start(['runner', 'register', '--url', system.api.url], {
      CONFIG_FILE: file,
    })
    await session.answer('Token of a created runner', `${token}\r`)
    await session.answer('Name of this runner', '\r')
    await session.answer('Image for jobs', 'busybox\r')
    expect(await session.exitCode()).toBe(0)
    expect(session.output).not.toContain('Tags')
  })

  test.each([
    ['Ctrl-C', '\x03'],
    ['the end of the input', '\x04'],
  ])('leaves nothing behind after %s', async (_, typed) => {
    const before = await runnersAtCoordinator()
    const session = TerminalSession.start(['runner', 'register', '--url', system.api.url], {
      CONFIG_FILE: file,
    })
    await session.answer('Token of a created runner', `${registrationToken}\r`)
    await session.answer('Name of this runner', typed)
    expect(await session.exitCode()).toBe(1)
    expect(session.output).toContain('Nothing was registered')
    expect(await runnersAtCoordinator()).toHaveLength(before.length)
    await expect(stat(file)).rejects.toThrow('ENOENT')
  })
})

describe('registered runners at a coordinator', () => {
  beforeEach(async () => {
    await register('one')
    await register('two')
  })

  test('are listed and verified; a deleted one is reported, and removed on request', async () => {
    expect((await runner('list')).stdout).toMatch(
      /^one {2}Executor=docker Token=t1_\S+ URL=http:\S+\ntwo {2}Executor=docker Token=t1_\S+ URL=http:\S+\n$/,
    )
    const [one] = await entries()
    expect((await system.api.request('DELETE', `/runners/${String(one?.['id'])}`)).status).toBe(204)
    const verified = await runner('verify')
    expect(verified).toMatchObject({ exitCode: 1 })
    expect(verified.stdout).toMatch(/^Runner "two" \(\S{9}\) is alive\n$/)
    expect(verified.stderr).toMatch(/^Runner "one" \(\S{9}\) is not valid/)
    const deleted = await runner('verify', '--delete')
    expect(deleted).toMatchObject({ exitCode: 0, stderr: '' })
    expect(await entries()).toMatchObject([{ name: 'two' }])
    expect((await runner('verify', '--name', 'one')).stderr).toContain('No runner of')
  })

  test('with an unknown state are kept by all commands', async () => {
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replaceAll(system.api.url, 'http://127.0.0.1:1'))
    const result = await runner('verify', '--delete')
    expect(result.exitCode).toBe(1)
    expect(result.stderr).toContain('could not be verified: The coordinator at http://127.0.0.1:1')
    expect(await entries()).toHaveLength(2)
  })

  test('get new tokens, with their own token or that of a user', async () => {
    const before = await entries()
    expect(await runner('reset-token', '--name', 'one')).toMatchObject({ exitCode: 0, stderr: '' })
    expect(await runner('reset-token', '--name', 'two', '--pat', system.api.token)).toMatchObject({
      exitCode: 0,
      stderr: '',
    })
    const after = await entries()
    expect(after.map((entry) => entry['name'])).toEqual(['one', 'two'])
    for (const index of [0, 1]) expect(after[index]?.['token']).not.toBe(before[index]?.['token'])
    expect((await runner('verify')).exitCode).toBe(0)
    const all = await runner('reset-token', '--all-runners')
    expect(all.stdout.match(/has a new token/g)).toHaveLength(2)
    expect((await runner('verify')).exitCode).toBe(0)
    expect((await runner('reset-token')).stderr).toBe(
      'Select a runner: --name, --id, --url or --all-runners\n',
    )
    expect((await runner('reset-token', '--name', 'one', '--pat', 'wrong')).stderr).toContain(
      'is not replaced',
    )
  })

  test('are unregistered, one or all', async () => {
    expect((await runner('unregister', '--name', 'one')).exitCode).toBe(0)
    expect(await entries()).toMatchObject([{ name: 'two' }])
    expect((await runner('unregister', '--all-runners')).exitCode).toBe(0)
    expect(await entries()).toEqual([])
    expect(parse(await readFile(file, 'utf8'))).toEqual({ concurrent: 1, check_interval: 0 })
  })
})

test('lint reports every error and warning, and the file', async () => {
  const dir = await tempDir()
  const bad = join(dir, 'bad.toml')
  await writeFile(bad, 'concurrent = 0\ncolour = "red"\n[[runners]]\nurl = "ftp://x"\nexecutor = "docker"\n')
  expect(await runner('lint', '--config', bad)).toEqual({
    exitCode: 1,
    stderr: '',
    stdout:
      'error: concurrent must be a whole number of at least 1\n' +
      'error: runners[0].url must begin with http:// or https://\n' +
      'error: runners[0].token is missing\n' +
      'error: runners[0].docker.image is missing\n' +
      'warning: colour is not a known setting\n' +
      `${bad} is not valid: 4 errors, 1 warning\n`,
  })
  expect((await runner('lint', '--config', join(dir, 'none.toml'))).stderr).toContain('does not exist')
})

describe('run-single', () => {
  function runSingle(token: string, ...more: string[]): Promise<CommandResult> {
    const values = ['--url', system.api.url, '--token', token, '--docker-image', system.image]
    const docker = ['--docker-pull-policy', 'never', '--docker-network-mode', 'host', '--name', 'single']
    return runSwitchyard(['runner', 'run-single', ...values, ...docker, ...more], {
      CONFIG_FILE: file,
      SWITCHYARD_RUNNER_DATA_DIR: join(system.directory, 'runner-data'),
    })
  }

  test('exits after the configured number of jobs', async () => {
    const { token } = await createdRunner()
    const project = await system.createProject()
    const pipeline = await project.pushCi(
      'first: {script: ["echo 1"]}\nsecond: {stage: deploy, script: ["echo 2"]}\n',
    )
    const result = await runSingle(token, '--max-builds', '1', '--log-format', 'json')
    expect(result.exitCode).toBe(0)
    expect((await project.job(pipeline, 'first')).status).toBe('success')
    expect((await project.job(pipeline, 'second')).status).toBe('pending')
    expect(result.stderr).toContain('"msg":"Job ended"')
    expect((await runSingle(token, '--max-builds', '1')).exitCode).toBe(0)
    expect((await project.job(pipeline, 'second')).status).toBe('success')
  })

  testAtNight('takes its settings from the file, and the rest from flags', async () => {
    await register('kept', '--docker-pull-policy', 'never')
    const command = ['runner', '--debug', 'run-single', '--runner', 'kept', '--wait-timeout', '1']
    const result = await runSwitchyard(command, { CONFIG_FILE: file })
    expect(result).toMatchObject({ exitCode: 0, stdout: '' })
    expect(result.stderr).toMatch(/^Runner started +runners=1 concurrent=1$/m)
    expect((await runner('run-single', '--runner', 'unknown')).stderr).toContain('No runner of')
    expect((await runner('run-single', '--url', system.api.url)).stderr).toBe(
      '--token (CI_SERVER_TOKEN) is missing\n--docker-image (DOCKER_IMAGE) is missing\n' +
        'Give them as flags or variables, or name a runner of the settings: --runner\n',
    )
  })
})
