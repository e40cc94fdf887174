import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { runnerCommand } from '../../../src/cli/commands/runner/index.js'
import type { StatusMessage } from '../../../src/runner/control/messages.js'
import { jobPayload } from '../../support/job-payload.js'
import { configText, daemonUnderTest } from '../../support/running-daemon.js'
import { tempDir } from '../../support/temp-dir.js'

let output: string
let errors: string

beforeEach(() => {
  output = ''
  errors = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => (output += String(text)) !== '')
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => (errors += String(text)) !== '')
})

afterEach(() => {
  vi.restoreAllMocks()
  process.exitCode = 0
})

/** Responses the exit code. */
async function runner(...args: string[]): Promise<number> {
  process.exitCode = 0
  await runnerCommand().parseAsync(args, { from: 'user' })
  return exitCode()
}

function exitCode(): number {
  return Number(process.exitCode)
}

const named = (url: string) => configText(url, [{ name: 'builder', limit: 2 }])

describe('commands to a running daemon', () => {
  test('status prints a table, or JSON on request', async () => {
    const { configFile, coordinator } = await daemonUnderTest(named)
    await coordinator.until(() => coordinator.openRequests === 1)
    expect(await runner('status', '--config', configFile)).toBe(0)
    expect(output).toMatch(/^Switchyard runner \S+, process \d+, up [\dhms ]+: running, 0 of 1 jobs\n/)
    expect(output).toContain('NAME     TOKEN      STATE    JOBS/LIMIT  URL\n')
    expect(output).toContain(`builder  runner-to  polling  0/2         ${coordinator.url}\n`)
    output = ''
    await runner('status', '--config', configFile, '--json')
    expect((JSON.parse(output) as StatusMessage).entries[0]).toMatchObject({ name: 'builder', limit: 2 })
  })

  test('jobs lists the running jobs', async () => {
    const { configFile, coordinator, directory } = await daemonUnderTest(named)
    await runner('jobs', '--config', configFile)
    expect(output).toBe('No job runs\n')
    const script = [`while [ ! -e ${directory}/go ]; do sleep 0.05; done`]
    coordinator.offer(jobPayload({ steps: [{ name: 'script', script }] }))
    await coordinator.until(() => coordinator.trace(124).includes('$ while'))
    await runner('jobs', '--config', configFile)
    expect(output).toMatch(/\n124 {2}app {6}build {2}step_script {2}\d+s {3}builder\n$/)
  })

  test('list --hosts shows the Docker hosts of the daemon, or JSON on request', async () => {
    const { configFile, executor } = await daemonUnderTest(named)
    await runner('list', '--hosts', '--config', configFile)
    expect(output).toContain('No registration has several hosts')
    const facts = { running: 1, concurrent: 4, weight: 2, address: 'ssh://ci@build-2' }
    const lastError = { message: 'It was away.', at: 0 }
    Object.assign(executor, { hosts: () => [{ name: 'build-2', state: 'online', ...facts, lastError }] })
    output = ''
    expect(await runner('list', '--hosts', '--config', configFile)).toBe(0)
    expect(output).toMatch(/^RUNNER +HOST +STATE +JOBS +WEIGHT +ADDRESS +LAST ERROR\n/)
    expect(output).toMatch(
      /builder +build-2 +online +1\/4 +2 +ssh:\/\/ci@build-2 +1970-01-01T00:00:00.000Z It was away\.\n$/,
    )
    output = ''
    await runner('list', '--hosts', '--json', '--config', configFile)
    expect(JSON.parse(output)).toMatchObject([{ runner: 'builder', name: 'build-2', running: 1 }])
  })

  test('pause and resume print the new state', async () => {
    const { configFile } = await daemonUnderTest(named)
    await runner('pause', '--config', configFile, '--runner', 'builder')
    expect(output).toMatch(/builder {2}runner-to {2}paused/)
    output = ''
    await runner('resume', '--config', configFile)
    expect(output).toMatch(/builder {2}runner-to {2}polling/)
  })

  test('an error of the daemon is printed, with exit code 1', async () => {
    const { configFile } = await daemonUnderTest(named)
    expect(await runner('pause', '--config', configFile, '--runner', 'nobody')).toBe(1)
    expect(errors).toBe('There is no registration "nobody"; known: "builder"\n')
  })

  test('drain waits until the runner has stopped', async () => {
    const { configFile, daemon } = await daemonUnderTest(named)
    expect(await runner('drain', '--config', configFile)).toBe(0)
    expect(output).toBe('The runner accepts no more jobs; 0 jobs run\nThe runner has stopped\n')
    await daemon.finished
  })

  test('a daemon whose settings file has become invalid is reached', async () => {
    const { configFile, configure } = await daemonUnderTest(named)
    await configure('concurrent = "many"')
    expect(await runner('status', '--config', configFile)).toBe(0)
  })

  test('without a daemon the searched place is reported', async () => {
    const configFile = join(await tempDir(), 'config.toml')
    vi.stubEnv('SWITCHYARD_RUNNER_DATA_DIR', '/nowhere')
    expect(await runner('status', '--config', configFile)).toBe(1)
    vi.unstubAllEnvs()
    expect(errors).toContain('No runner responds at /nowhere/control.sock')
  })
})

describe('flags of run', () => {
  test('--user points to the service manager', async () => {
    expect(await runner('run', '--user', 'ci', '--config', '/nowhere')).toBe(1)
    expect(errors).toContain('Set User=ci in the systemd unit')
  })

  test('--listen-address rejects an invalid address', async () => {
    expect(await runner('run', '--listen-address', 'a b', '--config', '/nowhere')).toBe(1)
    expect(errors).toContain('--listen-address is "a b"; it must be host:port, host or :port')
  })

  test('--working-directory is the base of relative paths', async () => {
    const folder = await tempDir()
    const before = process.cwd()
    const chdir = vi.spyOn(process, 'chdir').mockImplementation(() => {})
    await runner('run', '--working-directory', folder, '--config', join(folder, 'none.toml'))
    expect(chdir).toHaveBeenCalledWith(folder)
    expect(process.cwd()).toBe(before)
    expect(errors).toContain('none.toml: does not exist')
  })
})

test('SIGHUP reloads the settings, SIGQUIT stops the daemon gracefully', async () => {
  const folder = await tempDir()
  const configFile = join(folder, 'config.toml')
  const configure = (concurrent: number) =>
    writeFile(configFile, `data_dir = "${folder}/data"\nlog_level = "fatal"\nconcurrent = ${concurrent}\n`)
  const status = async () => {
    output = ''
    await runner('status', '--json', '--config', configFile)
    return output === '' ? undefined : (JSON.parse(output) as StatusMessage)
  }
  await configure(2)
  const ended = runnerCommand().parseAsync(['run', '--config', configFile], { from: 'user' })
  await expect.poll(async () => (await status())?.concurrent).toBe(2)
  await configure(7)
  process.emit('SIGHUP', 'SIGHUP')
  await expect.poll(async () => (await status())?.concurrent).toBe(7)
  process.emit('SIGQUIT', 'SIGQUIT')
  await ended
})
