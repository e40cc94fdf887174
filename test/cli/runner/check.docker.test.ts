import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import Docker from 'dockerode'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { runnerCommand } from '../../../src/cli/commands/runner/index.js'
import { busyboxImage } from '../../support/docker-image.js'
import { dockerLeftovers } from '../../support/docker-leftovers.js'
import { MACHINE_ENGINE } from '../../support/machine-engine.js'
import { testAtNight } from '../../support/nightly.js'
import { tempDir } from '../../support/temp-dir.js'

let output: string[]

beforeEach(() => {
  output = []
  process.exitCode = 0
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => output.push(String(text)) > 0)
})

afterEach(() => {
  vi.restoreAllMocks()
  process.exitCode = 0
})

/** The settings of registrations by their names. Returns the file. */
async function configure(registrations: Record<string, string>): Promise<string> {
  const folder = await tempDir()
  const file = join(folder, 'config.toml')
  const tables = Object.entries(registrations).map(
    ([name, more]) =>
      `[[runners]]\nname = "${name}"\nurl = "http://127.0.0.1:1"\ntoken = "glrt-${name}"\n` +
      `executor = "${executorOf(more)}"\n[runners.docker]\nimage = "${image}"\n${more}\n`,
  )
  await writeFile(join(folder, '.runner_system_id'), 's_checkcommand')
  await writeFile(
    file,
    `data_dir = "${join(folder, 'data')}"\nblock_metadata_addresses = false\n${tables.join('')}`,
  )
  return file
}

/** The executor whose tables these lines have. */
function executorOf(lines: string): string {
  if (lines.includes('docker_hosts')) return 'docker-hosts'
  return lines.includes('autoscaler') ? 'docker-autoscaler' : 'docker'
}

let image: string
beforeEach(async () => {
  image = await busyboxImage()
})

async function check(...args: string[]): Promise<string> {
  await runnerCommand().parseAsync(['check', ...args], { from: 'user' })
  return output.join('')
}

test('says what the engine of a registration can do, and leaves nothing there', async () => {
  const text = await check('--config', await configure({ mine: '' }))
  expect(process.exitCode).toBe(0)
  const { Version: version } = await new Docker().version()
  expect(text).toMatch(/^Runner "mine" \(mine\): Docker Engine /)
  expect(text).toContain(version)
  expect(text).toMatch(/^init process +yes /m)
  expect(text).toMatch(/^log driver +yes +local$/m)
  expect(text).toMatch(/^file sharing +yes +jobs mount folders of this machine/m)
  expect(text).toMatch(/^block of metadata addresses +no +.*block_metadata_addresses = false$/m)
  expect(await dockerLeftovers(['com.gitlab.gitlab-runner.runner.system_id=s_checkcommand'])).toEqual([])
})

test('fails for an engine that does not respond, as JSON too, and not for others that are selected', async () => {
  const file = await configure({ mine: '', away: 'host = "unix:///nowhere/engine.sock"' })
  const reports = JSON.parse(await check('--config', file, '--json')) as Record<string, unknown>[]
  expect(process.exitCode).toBe(1)
  const [mine, away] = reports
  expect(mine).toMatchObject({ name: 'mine', engine: { product: 'Docker Engine' }, settings: [] })
  expect(away?.['name']).toBe('away')
  expect(String(away?.['problem'])).toContain('The Docker engine does not respond')
  process.exitCode = 0
  await check('--config', file, '--name', 'mine')
  expect(process.exitCode).toBe(0)
})

testAtNight(
  'asks each host of a registration, and no engine of machines that are created for jobs',
  async () => {
    const host = (name: string, address: string) =>
      `[[runners.docker_hosts]]\nname = "${name}"\nhost = "${address}"\n`
    const hosts = host('near', MACHINE_ENGINE) + host('gone', 'unix:///nowhere/engine.sock')
    const machines = '[runners.autoscaler]\nplugin = "docker"\n'
    const text = await check('--config', await configure({ fleet: hosts, cloud: machines }))
    expect(process.exitCode).toBe(1)
    expect(text).toMatch(/^Runner "fleet" \(fleet\), host near: Docker Engine /)
    expect(text).toMatch(/^Runner "fleet" \(fleet\), host gone\nerror: The Docker engine does not respond/m)
    expect(text).toMatch(/^Runner "cloud" \(cloud\): its machines are created for jobs/m)
  },
)
