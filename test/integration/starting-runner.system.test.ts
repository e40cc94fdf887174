import { execFileSync } from 'node:child_process'
import { mkdir, open, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { variants } from '../support/nightly.js'
import { configText } from '../support/running-daemon.js'
import { tempDir } from '../support/temp-dir.js'
import { type RunningProcess, startSwitchyard } from './support/processes.js'

interface StartUnderTest {
  daemon: RunningProcess
  dataDir: string
  /** Lets the start go on. */
  release: () => Promise<void>
}

/** A daemon in the middle of its start: it reads a journal that has no end yet. */
async function startThatWaits(): Promise<StartUnderTest> {
  const directory = await tempDir()
  const config = join(directory, 'config.toml')
  const dataDir = join(directory, 'data')
  await writeFile(config, configText('http://127.0.0.1:1'))
  await mkdir(join(dataDir, 'jobs', '1-cut-short'), { recursive: true })
  const journal = join(dataDir, 'jobs', '1-cut-short', 'state.json')
  execFileSync('mkfifo', [journal])
  const daemon = startSwitchyard(['runner', 'run', '--config', config], {
    SWITCHYARD_RUNNER_DATA_DIR: dataDir,
  })
  onTestFinished(() => daemon.kill('SIGKILL'))
  const writer = await open(journal, 'w') // resolves when the daemon reads
  return { daemon, dataDir, release: () => writer.close() }
}

async function ended({ child }: RunningProcess): Promise<{ code: number | null; signal: string | null }> {
  if (child.exitCode === null && child.signalCode === null) {
    await new Promise((resolve) => child.once('exit', resolve))
  }
  return { code: child.exitCode, signal: child.signalCode }
}

test.each(variants<NodeJS.Signals>(['SIGTERM'], ['SIGINT']))(
  'a runner that is starting gives that up at %s',
  async (signal) => {
    const { daemon, dataDir, release } = await startThatWaits()
    daemon.child.kill(signal)
    await daemon.logContaining('the start is canceled')
    await release()
    expect(await ended(daemon)).toEqual({ code: 0, signal: null })
    expect(daemon.log()).not.toContain('Runner started')
    expect(await readdir(join(dataDir, 'tmp'))).toEqual([])
    expect(await readdir(dataDir)).not.toContain('control.sock')
  },
)

test('a runner that gets SIGQUIT while it starts tidies up first, and ends without asking for a job', async () => {
  const { daemon, dataDir, release } = await startThatWaits()
  daemon.child.kill('SIGQUIT')
  await release()
  expect(await ended(daemon)).toEqual({ code: 0, signal: null })
  expect(daemon.log()).toContain('Runner stopped')
  expect(await readdir(join(dataDir, 'tmp'))).toEqual([])
})
