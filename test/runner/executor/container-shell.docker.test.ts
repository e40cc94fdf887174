import { expect, test } from 'vitest'

import type { JobEnvironment, Shell } from '../../../src/runner/executor/executor.js'
import { WAITING_SCRIPT } from '../../../src/runner/holds/hold-script.js'
import { busyboxImage } from '../../support/docker-image.js'
import { testAtNight } from '../../support/nightly.js'
import { type Bench, NEVER, openBench, openEnvironment, RecordedLog } from './docker-jobs.js'

async function openHeld(): Promise<{ bench: Bench; environment: JobEnvironment }> {
  const bench = await openBench({ image: await busyboxImage() })
  const environment = await openEnvironment(bench)
  await environment.run(await bench.script('echo made >/made; exit 4'), new RecordedLog(), NEVER)
  await bench.script(WAITING_SCRIPT)
  await environment.interior?.hold()
  return { bench, environment }
}

async function open(
  environment: JobEnvironment,
  command: string[],
  { size, signal = NEVER }: { size?: { columns: number; rows: number }; signal?: AbortSignal } = {},
): Promise<Shell> {
  const shell = await environment.interior?.shell({ command, size }, signal)
  if (!shell) throw new Error('The executor opens no shells')
  return shell
}

async function printed(shell: Shell): Promise<{ stdout: string; stderr: string }> {
  const text = { stdout: '', stderr: '' }
  for await (const { channel, bytes } of shell.output) text[channel] += bytes.toString('utf8')
  return text
}

test('a command in a held container has its files, separate channels, its input and its exit code', async () => {
  const { environment } = await openHeld()
  const shell = await open(environment, ['sh', '-c', 'cat /made; cat; echo "$GREETING" >&2; exit 6'])
  shell.input.end('typed\n')
  expect(await printed(shell)).toEqual({ stdout: 'made\ntyped\n', stderr: 'hello world\n' })
  expect(await shell.exitCode()).toBe(6)
  await environment.cleanUp()
})

test('a terminal has a size, which changes, and Ctrl-C reaches its command', async () => {
  const { environment } = await openHeld()
  const shell = await open(environment, ['sh'], { size: { columns: 91, rows: 17 } })
  // The quotes keep the echo of what is typed from looking like the output.
  shell.input.write(`stty size; sh -c 'echo be""gun; exec sleep 1000'\n`)
  let text = ''
  for await (const { bytes } of shell.output) {
    const before = text
    text += bytes.toString('utf8')
    const isNew = (part: string) => text.includes(part) && !before.includes(part)
    if (isNew('begun\r\n')) {
      await shell.resize({ columns: 120, rows: 40 })
      shell.input.write('\x03')
    }
    if (isNew('^C')) shell.input.write('stty size; exit 3\n')
  }
  expect(text).toContain('17 91\r\n')
  expect(text).toContain('40 120\r\n')
  expect(await shell.exitCode()).toBe(3)
  await environment.cleanUp()
})

testAtNight('a shell that is left ends with what it has started', async () => {
  const { environment } = await openHeld()
  const leave = new AbortController()
  const shell = await open(environment, ['sh', '-c', 'sleep 4321 & echo begun; sleep 1234'], {
    signal: leave.signal,
  })
  for await (const { bytes } of shell.output) {
    expect(bytes.toString('utf8')).toBe('begun\n')
    leave.abort()
  }
  const left = async () => {
    const { stdout } = await printed(await open(environment, ['ps', '-o', 'args']))
    return stdout.match(/sleep (?:4321|1234)/g)
  }
  await expect.poll(left, { interval: 100, timeout: 20_000 }).toBeNull()
  await environment.cleanUp()
})

test('a shell waits for the script of the job, is no shell of an earlier process, and ends with the script', async () => {
  const bench = await openBench({ image: await busyboxImage() })
  const environment = await openEnvironment(bench)
  const opening = open(environment, ['sh', '-c', 'echo begun; sleep 0.5; echo >/tmp/end; sleep 1000'])
  const script = await bench.script('while [ ! -e /tmp/end ]; do sleep 0.1; done')
  const run = environment.run(script, new RecordedLog(), NEVER)
  const shell = await opening
  for await (const { bytes } of shell.output) {
    expect(bytes.toString('utf8')).toBe('begun\n')
    await environment.interior?.endShells()
  }
  expect(await run).toEqual({ exitCode: 0 })
  await expect(shell.exitCode()).rejects.toThrow('The container of the job has stopped')
  await environment.cleanUp()
})
