import { readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { execa } from 'execa'
import { expect, onTestFinished, test } from 'vitest'

import { upCommand } from '../../../src/cli/commands/up/index.js'
import type { SampleReport } from '../../../src/cli/commands/up/sample-report.js'
import { runInProcess } from '../../integration/support/run-in-process.js'
import { IS_NIGHTLY } from '../../support/nightly.js'
import { makeTempDir } from '../../support/temp-dir.js'

const SWITCHYARD = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url))

/** Each start listens on another port, as a person might. */
function up(dataDir: string, ...args: string[]) {
  return execa('node', [SWITCHYARD, 'up', '--data-dir', dataDir, '--listen', '127.0.0.1:0', ...args], {
    reject: false,
    forceKillAfterDelay: false,
    env: { SWITCHYARD_ADMIN_TOKEN: undefined, SWITCHYARD_REGISTRATION_TOKEN: undefined },
  })
}

test('a first start runs the sample, and a second one serves', { timeout: 180_000 }, async () => {
  const folder = await makeTempDir()
  onTestFinished(() => folder.remove())
  const dataDir = join(folder.path, 'data')

  const first = await up(dataDir, '--once', '--json')
  expect(first.exitCode, first.stderr).toBe(0)
  const report = JSON.parse(first.stdout) as SampleReport
  expect(report.pipeline).toEqual({ id: 1, status: 'success' })
  expect(report.jobs).toEqual([
    { name: 'build', stage: 'build', status: 'success', duration: expect.any(Number) as number },
    {
      name: 'check the greeting',
      stage: 'test',
      status: 'success',
      duration: expect.any(Number) as number,
    },
    { name: 'check the version', stage: 'test', status: 'success', duration: expect.any(Number) as number },
    { name: 'deploy', stage: 'deploy', status: 'success', duration: expect.any(Number) as number },
  ])
  expect(report.artifacts).toEqual([
    { job: 'build', path: 'public/greeting.txt', size: 'Hello, World!\n'.length },
    { job: 'build', path: 'public/version.txt', size: 9 },
    { job: 'deploy', path: 'site/index.txt', size: 'Hello, World!\n'.length },
  ])
  expect(first.stderr).toContain('check the greeting   | Hello, World!')
  expect(first.stderr).not.toContain('section_start')
  expect((await stat(join(dataDir, 'admin-token'))).mode & 0o777).toBe(0o600)
  expect((await stat(join(dataDir, 'runner/config.toml'))).mode & 0o777).toBe(0o600)

  const config = await readFile(join(dataDir, 'runner/config.toml'), 'utf8')

  const second = up(dataDir)
  let shown = ''
  for await (const line of second.iterable({ from: 'stdout' })) {
    shown += `${line}\n`
    if (line.includes('Serving until Ctrl-C')) second.kill('SIGINT')
  }
  expect((await second).exitCode).toBe(0)
  expect(shown).toContain('The sample pipeline ran at an earlier start')
  expect(shown).toContain(`TOKEN=$(cat ${join(dataDir, 'admin-token')})`)
  const tokenOf = (text: string): string | undefined => /^token = .*$/m.exec(text)?.[0]
  expect(tokenOf(await readFile(join(dataDir, 'runner/config.toml'), 'utf8'))).toBe(tokenOf(config))
})

test.runIf(IS_NIGHTLY)('--once runs the sample at each start', { timeout: 180_000 }, async () => {
  const folder = await makeTempDir()
  onTestFinished(() => folder.remove())
  const dataDir = join(folder.path, 'data')
  for (const id of [1, 2]) {
    const { exitCode, stdout, stderr } = await up(dataDir, '--once', '--json')
    expect(exitCode, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ pipeline: { id, status: 'success' } })
  }
})

test('an address in use is reported', async () => {
  const folder = await makeTempDir()
  onTestFinished(() => folder.remove())
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const args = ['--once', '--data-dir', folder.path, '--listen', `127.0.0.1:${port}`]
  const { exitCode, stderr } = await runInProcess(upCommand, args)
  expect(exitCode).toBe(1)
  expect(stderr).toContain(`Cannot listen on 127.0.0.1:${port}`)
})
