import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { describe, expect, test } from 'vitest'

import type { OutputRecord } from '../../../../src/runner/executor/output-record.js'
import { prepareOutput } from '../../../../src/runner/executor/output/output-files.js'
import { OutputFollower } from '../../../../src/runner/executor/output/output-follower.js'
import { IS_NIGHTLY } from '../../../support/nightly.js'
import { tempDir } from '../../../support/temp-dir.js'
import { NEVER } from '../docker-jobs.js'

const SHELLS = [['sh'], ['bash'], ['/bin/busybox', 'sh']].filter(
  ([program = '']) => program === 'sh' || existsSync(program.startsWith('/') ? program : `/bin/${program}`),
)

/** Some segments in a run of a push. */
const LINES = IS_NIGHTLY ? 150_000 : 40_000

/** Without containers: the script that stores output, as the process 1 of a container would run it. */
async function openOutput(sizes: Partial<OutputRecord> = {}): Promise<OutputRecord> {
  const directory = join(await tempDir(), 'output')
  await mkdir(directory)
  const record = { directory, token: 'ab12', headBytes: 1024 * 1024, segmentBytes: 1024 * 1024, ...sizes }
  await prepareOutput(record)
  return record
}

async function start(
  record: OutputRecord,
  script: string,
  [program = 'sh', ...first] = SHELLS[0] ?? [],
  path = process.env['PATH'],
) {
  const stage = join(record.directory, '..', 'stage-script')
  await writeFile(stage, script)
  const child = spawn(program, [...first, join(record.directory, 'run'), stage], {
    env: { ...process.env, PATH: path },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own, for scripts that send signals to theirs.
    detached: true,
  })
  const printed = text(child.stdout)
  const exited = once(child, 'close').then(([code]) => code as number)
  return { printed, exited }
}

/** Everything that a follower writes. */
function follow(record: OutputRecord) {
  const chunks: Buffer[] = []
  const follower = new OutputFollower(record, async (bytes) => void chunks.push(bytes))
  return { follower, end: follower.follow(), read: () => Buffer.concat(chunks) }
}

/** Bytes of all files in the folder of the output. */
async function sizeOf({ directory }: OutputRecord): Promise<number> {
  const names = await readdir(directory)
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(directory, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

describe.each(SHELLS)('the output of a script under %s %s', (...shell) => {
  test('is stored with its exit code, in the order of printing, whatever it does to its streams', async () => {
    const record = await openOutput()
    const running = await start(
      record,
      'echo one; echo two >&2; echo three >/dev/stderr; echo four >>/dev/stdout; printf "a\\0b"; exit 5',
      shell,
    )
    const { end, read } = follow(record)
    await expect(end).resolves.toMatchObject({ exitCode: 5 })
    expect(read().toString()).toBe('one\ntwo\nthree\nfour\na\0b')
    await expect(running.exited).resolves.toBe(5)
    await expect(running.printed).resolves.toBe('\0ab12 file\n\0ab12 end 5\n')
  })

  test('is complete when the script kills its process group or replaces its shell', async () => {
    const record = await openOutput()
    const script = 'trap "" TERM; kill -TERM 0; echo alive; exec sh -c "echo replaced; kill -9 \\$\\$"'
    const running = await start(record, script, shell)
    const { end, read } = follow(record)
    await expect(end).resolves.toMatchObject({ exitCode: 137 })
    expect(read().toString()).toBe('alive\nreplaced\n')
    await expect(running.exited).resolves.toBe(137)
  })

  test('is complete when the script signals its process group before the reader has done anything', async () => {
    const record = await openOutput()
    const program = join(record.directory, 'run')
    const slow = (await readFile(program, 'utf8')).replace('store() {\n', 'store() {\n  sleep 0.2\n')
    expect(slow).toContain('sleep 0.2')
    await writeFile(program, slow)
    const running = await start(record, 'trap "" TERM; kill -TERM 0; echo alive', shell)
    const { end, read } = follow(record)
    await expect(running.exited).resolves.toBe(0)
    await expect(end).resolves.toMatchObject({ exitCode: 0 })
    expect(read().toString()).toBe('alive\n')
  })

  test('takes segments that the follower removes, byte for byte', async () => {
    const record = await openOutput({ headBytes: 200_000, segmentBytes: 100_000 })
    const running = await start(
      record,
      `i=0; while [ $i -lt ${LINES} ]; do echo line $i; i=$((i+1)); done`,
      shell,
    )
    const { end, read } = follow(record)
    await expect(end).resolves.toMatchObject({ exitCode: 0 })
    const wanted = Array.from({ length: LINES }, (_, index) => `line ${index}\n`).join('')
    expect(read().equals(Buffer.from(wanted))).toBe(true)
    await running.exited
    const names = (await readdir(record.directory)).filter((name) => /^\d+$/.test(name))
    // The last segment, and perhaps an empty one after it.
    expect(names.length).toBeLessThanOrEqual(3)
    expect(names).toContain('0')
  })
})

describe('the output of a script', () => {
  test('waits on the disk for a follower, within its bound', async () => {
    const record = await openOutput({ headBytes: 65_536, segmentBytes: 65_536 })
    const running = await start(record, 'head -c 1000000 /dev/zero | tr "\\0" x')
    let names: string[] = []
    while (!names.includes('8')) names = await readdir(record.directory)
    expect(await sizeOf(record)).toBeLessThan(10 * 65_536 * 2)
    const { end, read } = follow(record)
    await expect(end).resolves.toMatchObject({ exitCode: 0 })
    expect(read().length).toBe(1_000_000)
    await running.exited
  })

  test('is whole for a second follower, as long as no segment was removed', async () => {
    const record = await openOutput()
    const running = await start(
      record,
      'echo first; while [ ! -e "$0.go" ]; do sleep 0.01; done; echo second',
    )
    const first = follow(record)
    while (first.read().length === 0) await new Promise((resolve) => setImmediate(resolve))
    first.follower.finish(NEVER)
    await expect(first.end).resolves.toBeUndefined()
    await writeFile(join(record.directory, '../stage-script.go'), '')
    const second = follow(record)
    await expect(running.exited).resolves.toBe(0)
    await expect(second.end).resolves.toMatchObject({ exitCode: 0 })
    expect(first.read().toString()).toBe('first\n')
    expect(second.read().toString()).toBe('first\nsecond\n')
  })

  test('is not read through a link that the job left in its place', async () => {
    const record = await openOutput()
    const secret = join(record.directory, '..', 'secret')
    await writeFile(secret, 'of the host')
    await symlink(secret, join(record.directory, '0'))
    await expect(follow(record).end).rejects.toThrow('The job replaced the file of its own output')
    await rm(join(record.directory, '0'))
    await mkdir(join(record.directory, '0'))
    await expect(follow(record).end).rejects.toThrow('The job replaced the file of its own output')
  })

  test.each([
    ['137 0 2', true],
    ['137 0 0', false],
    ['137 0 ', undefined],
    ['137 0', undefined], // from a runner of an earlier version, before an upgrade
  ])('ends with "%s": the memory of the container was exceeded: %s', async (mark, ranOutOfMemory) => {
    const record = await openOutput()
    await writeFile(join(record.directory, '0'), `printed\n\0ab12 ${mark}\n`)
    const { end, read } = follow(record)
    await expect(end).resolves.toEqual({ exitCode: 137, hasLeftProcesses: false, ranOutOfMemory })
    expect(read().toString()).toBe('printed\n')
  })

  test('goes to the engine when the image has no program for pipes', async () => {
    const record = await openOutput()
    const running = await start(record, 'echo plain; exit 4', ['/bin/sh'], '/nowhere')
    await expect(running.exited).resolves.toBe(4)
    await expect(running.printed).resolves.toBe('plain\n\0ab12 end 4\n')
  })

  test('loses its oldest segments while no follower reads for long', async () => {
    const record = await openOutput({ headBytes: 65_536, segmentBytes: 65_536 })
    const hasty = await tempDir()
    await writeFile(join(hasty, 'sleep'), '#!/bin/sh\n', { mode: 0o755 })
    const script = 'echo begin; head -c 3000000 /dev/zero | tr "\\0" x; echo end'
    const running = await start(record, script, undefined, `${hasty}:${process.env['PATH']}`)
    await expect(running.exited).resolves.toBe(0)
    expect(await sizeOf(record)).toBeLessThan(10 * 65_536 * 2)
    const { end, read } = follow(record)
    await expect(end).resolves.toMatchObject({ exitCode: 0 })
    expect(read().toString()).toMatch(/^begin\nx{65000,}end\n$/)
  })
})
