import { execFile } from 'node:child_process'
import { chmod, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { beforeEach, expect, test } from 'vitest'

import { ControlDirectory } from '../../../src/runner/helper/server/control-directory.js'
import { NEVER } from '../../runner/executor/docker-jobs.js'
import { scriptAt } from '../../runner/helper/helped-job.js'
import { tempDir } from '../../support/temp-dir.js'

const run = promisify(execFile)

/** The directory that a pod shares with its helper. Nothing reads the FIFOs. */
let path: string
let control: ControlDirectory

beforeEach(async () => {
  path = await tempDir()
  await chmod(path, 0o777)
  control = new ControlDirectory(path)
})

/** Aborts soon: for calls that would wait until the supervisor does something. */
function soon(): AbortSignal {
  return AbortSignal.timeout(150)
}

function script(number = 1) {
  return scriptAt({ builds: '', control: path, git: '', own: '' }, number, '/script')
}

async function follow(signal = NEVER) {
  const chunks: Buffer[] = []
  const end = await control.follow(script(), {
    start: undefined,
    write: async (bytes) => void chunks.push(bytes),
    delivered: async () => {},
    signal,
  })
  return { end, output: Buffer.concat(chunks).toString() }
}

test.each(['a link', 'a FIFO', 'a directory'])(
  '%s in place of a report of the supervisor is not read',
  async (what) => {
    await writeFile(join(path, 'started'), '')
    const file = join(path, 'missing')
    if (what === 'a link') await symlink('/etc/passwd', file)
    else if (what === 'a FIFO') await run('mkfifo', [file])
    else await mkdir(file)
    await expect(control.ready(NEVER)).rejects.toThrow()
  },
)

test('commands are not written to what replaces their FIFO, and a FIFO that nobody reads holds up nothing', async () => {
  const victim = join(await tempDir(), 'victim')
  await writeFile(victim, 'before')
  const signals = join(path, 'signals')
  await symlink(victim, signals)
  await expect(control.signal(script(), 'TERM', soon())).rejects.toThrow()
  await rm(signals)
  await writeFile(signals, 'before')
  await expect(control.signal(script(), 'TERM', soon())).rejects.toThrow()
  await rm(signals)
  await run('mkfifo', [signals])
  await expect(control.signal(script(), 'TERM', soon())).rejects.toThrow()
  expect(await readFile(victim, 'utf8')).toBe('before')
})

test('what the job puts in place of the next files is replaced, and no link is followed', async () => {
  const victim = join(await tempDir(), 'victim')
  await writeFile(victim, 'before')
  await writeFile(join(path, 'started'), '')
  await symlink(victim, join(path, 'environment'))
  await expect(control.start(script(), { NAME: 'value' }, soon())).rejects.toThrow()
  expect(await readFile(join(path, 'environment'), 'utf8')).toBe("export NAME='value'\n")
  await rm(join(path, 'environment'))
  await mkdir(join(path, 'environment', 'deep'), { recursive: true })
  await expect(control.start(script(2), { NAME: 'other' }, soon())).rejects.toThrow()
  expect(await readFile(join(path, 'environment'), 'utf8')).toBe("export NAME='other'\n")
  expect(await readFile(victim, 'utf8')).toBe('before')
})

test('an output that is a link or a FIFO ends the script of the job, and nothing is read', async () => {
  await mkdir(join(path, '1'))
  await symlink('/etc/passwd', join(path, '1', '0'))
  await expect(follow()).rejects.toMatchObject({ reason: 'script_failure' })
  await rm(join(path, '1', '0'))
  await run('mkfifo', [join(path, '1', '0')])
  await expect(follow()).rejects.toMatchObject({ reason: 'script_failure' })
})

test('a directory that the job moves away or never filled is waited for, as long as the job may run', async () => {
  await expect(follow(soon())).rejects.toThrow()
  await mkdir(join(path, '1'))
  await writeFile(join(path, '1', '0'), 'some output')
  await rename(join(path, '1'), join(path, 'elsewhere'))
  await expect(follow(soon())).rejects.toThrow()
})

test('a script whose end is missing has no exit code, and a forged end is that of the job', async () => {
  await mkdir(join(path, '1'))
  await writeFile(join(path, '1', '0'), 'output')
  await writeFile(join(path, '1', 'over'), '')
  expect(await follow()).toEqual({ end: undefined, output: 'output' })
  await writeFile(join(path, '1', '0'), 'output\0ab12 0 0 \nmore')
  expect(await follow()).toMatchObject({ end: { exitCode: 0 }, output: 'output' })
})
