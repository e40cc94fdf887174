import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { runSwitchyard, startSwitchyard } from '../integration/support/processes.js'
import { copyMigratedStore } from '../support/databases.js'
import { testAtNight } from '../support/nightly.js'
import { tempDir } from '../support/temp-dir.js'

test('the version is that of the package', async () => {
  const { exitCode, stdout } = await runSwitchyard(['--version'])
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test('invalid settings are all reported, without a stack', async () => {
  const dataDir = join(await tempDir(), 'data')
  const { exitCode, stderr } = await runSwitchyard(
    ['coordinator', '--listen', 'nowhere', '--data-dir', dataDir, '--external-url', 'x'],
    { SWITCHYARD_LOG_LEVEL: 'loud' },
  )
  expect(exitCode).toBe(1)
  expect(stderr).toBe(
    'switchyard: The settings are not valid:\n' +
      '  - --listen: must be an address and a port, such as 127.0.0.1:8929\n' +
      '  - --external-url: must be a URL such as https://switchyard.example.com\n' +
      '  - SWITCHYARD_LOG_LEVEL: must be one of trace, debug, info, warn, error, fatal, silent\n',
  )
})

test('the coordinator prints its address and the path of its tokens, and ends on SIGTERM', async () => {
  const dataDir = await tempDir()
  await copyMigratedStore(dataDir)
  const coordinator = startSwitchyard(['coordinator', '--listen', '127.0.0.1:0', '--data-dir', dataDir], {
    SWITCHYARD_ADMIN_TOKEN: '',
    SWITCHYARD_DRAIN_SECONDS: '0',
    SWITCHYARD_LOG_LEVEL: 'warn',
  })
  while (!coordinator.log().includes('registers runners')) await nextOutput(coordinator.child.stdout)
  await coordinator.kill('SIGTERM')
  expect(coordinator.log()).toMatch(
    new RegExp(
      '^Listening on http://127\\.0\\.0\\.1:\\d+\n' +
        `The administrator is root; the token is in ${dataDir}/admin-token\n` +
        `The token that registers runners is in ${dataDir}/runner-registration-token\n$`,
    ),
  )
  expect(coordinator.child.exitCode).toBe(0)
})

function nextOutput(stream: NodeJS.ReadableStream | null): Promise<void> {
  return new Promise((resolve, reject) => {
    if (!stream) throw new Error('The output is not piped')
    stream.once('data', () => resolve())
    stream.once('end', () => reject(new Error('The process ended')))
  })
}

testAtNight('a data folder that cannot be created is reported in one sentence, without a stack', async () => {
  const file = join(await tempDir(), 'file')
  await writeFile(file, '')
  const dataDir = join(file, 'data')
  const { exitCode, stderr } = await runSwitchyard(['coordinator', '--data-dir', dataDir])
  expect([exitCode, stderr]).toEqual([
    1,
    `switchyard: ${dataDir} cannot be used: a part of the path is a file. Name a folder with --data-dir.\n`,
  ])
})

testAtNight('the secret key is rotated by a command that explains the next step', async () => {
  const dataDir = join(await tempDir(), 'data')
  const rotate = (...flags: string[]) =>
    runSwitchyard(['coordinator', 'rotate-secret-key', '--data-dir', dataDir, ...flags])
  const before = await rotate()
  expect([before.exitCode, before.stderr]).toEqual([
    1,
    `switchyard: ${dataDir}/secret.key does not exist. Name the data folder of the coordinator with --data-dir.\n`,
  ])
  await copyMigratedStore(dataDir)
  const coordinator = startSwitchyard(['coordinator', '--listen', '127.0.0.1:0', '--data-dir', dataDir], {
    SWITCHYARD_DRAIN_SECONDS: '0',
  })
  while (!coordinator.log().includes('registers runners')) await nextOutput(coordinator.child.stdout)
  const { exitCode, stdout } = await rotate()
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(
    /^Key [0-9a-f]{8} is in use; \d+ secrets were encrypted with it now\nComplete the rotation in five minutes, with --remove-old-keys\n$/,
  )
  expect((await rotate('--remove-old-keys')).stderr).toContain('less than 5 minutes ago')
  await coordinator.kill('SIGTERM')
})
