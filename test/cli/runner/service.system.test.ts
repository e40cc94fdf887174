import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { unitText } from '../../../src/cli/commands/runner/systemd-unit.js'
import { runSwitchyard, SWITCHYARD } from '../../integration/support/processes.js'
import { testAtNight } from '../../support/nightly.js'
import { tempDir } from '../../support/temp-dir.js'

const TEMPLATE = 'systemd/switchyard-runner.service'
const COMMON = { workingDirectory: undefined, user: undefined, program: ['/usr/bin/switchyard'] }

/** Lines of the unit that the template does not have. */
async function ownLines(options: Partial<Parameters<typeof unitText>[1]>): Promise<string[]> {
  const template = await readFile(TEMPLATE, 'utf8')
  const config = '/etc/switchyard-runner/config.toml'
  const text = unitText(template, { ...COMMON, service: 'switchyard-runner', config, ...options })
  return text.split('\n').filter((line) => !template.split('\n').includes(line))
}

test('the unit with default settings is the packaged one, with the installed program', async () => {
  expect(await ownLines({})).toEqual([
    'ExecStart=/usr/bin/switchyard runner run --config /etc/switchyard-runner/config.toml',
    'WorkingDirectory=%S/switchyard-runner',
  ])
})

test('a unit with another name, user and folder has the matching systemd settings', async () => {
  const options = { service: 'mine', user: 'ci', config: '/srv/a b/50%.toml', workingDirectory: '/srv' }
  expect(await ownLines(options)).toEqual([
    'ConditionPathExists=/srv/a b/50%%.toml',
    'User=ci',
    'Environment=SWITCHYARD_RUNNER_DATA_DIR=%S/mine',
    'EnvironmentFile=-/etc/mine/runner.env',
    'ExecStart=/usr/bin/switchyard runner run --config "/srv/a b/50%%.toml"',
    'StateDirectory=mine',
    'WorkingDirectory=/srv',
    'ReadWritePaths="/srv/a b" -/run/xtables.lock',
  ])
})

/** A fake systemctl that prints its arguments, and fails on request. */
async function fakeSystemctl(exitCode = 0): Promise<string> {
  const folder = await tempDir()
  await writeFile(join(folder, 'systemctl'), `#!/bin/sh\necho "systemctl $*"\nexit ${exitCode}\n`)
  await chmod(join(folder, 'systemctl'), 0o755)
  return folder
}

test('the service is installed, started, stopped and uninstalled through systemctl', async () => {
  const units = await tempDir()
  const PATH = `${await fakeSystemctl()}:${process.env['PATH'] ?? ''}`
  const run = (...args: string[]) => runSwitchyard(['runner', ...args, '--service', 'mine'], { PATH })
  const where = ['--unit-directory', units]
  const installed = await run('install', ...where, '--config', '/srv/config.toml')
  const file = join(units, 'mine.service')
  expect(installed).toMatchObject({ exitCode: 0, stderr: '' })
  expect(installed.stdout).toBe(
    `systemctl daemon-reload\nsystemctl enable mine\n${file} is written; \`switchyard runner start --service mine\` starts it\n`,
  )
  expect(await readFile(file, 'utf8')).toContain(
    `ExecStart=${process.execPath} ${SWITCHYARD} runner run --config /srv/config.toml\n`,
  )
  for (const verb of ['start', 'stop', 'restart']) {
    expect(await run(verb)).toMatchObject({ exitCode: 0, stdout: `systemctl ${verb} mine\n` })
  }
  expect((await run('uninstall', ...where)).stdout).toBe(
    'systemctl disable --now mine\nsystemctl daemon-reload\n',
  )
  await expect(stat(file)).rejects.toThrow('ENOENT')
})

testAtNight('a machine without systemd and a failing systemctl are reported', async () => {
  const without = await runSwitchyard(['runner', 'start'], { PATH: await tempDir() })
  expect(without).toMatchObject({ exitCode: 1 })
  expect(without.stderr).toContain('this machine does not use systemd')
  const failing = await runSwitchyard(['runner', 'stop'], { PATH: await fakeSystemctl(5) })
  expect(failing).toMatchObject({
    exitCode: 1,
    stderr: 'systemctl stop switchyard-runner failed with exit code 5\n',
  })
})
