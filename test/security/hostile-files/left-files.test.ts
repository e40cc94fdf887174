import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'

import { describe, expect, onTestFinished, test } from 'vitest'

import { digestOfFiles, digestOfZip } from '../../../src/archive/content-digest.js'
import { gzipInputs } from '../../../src/archive/gzip-writer.js'
import { TreeReader } from '../../../src/archive/tree-inputs.js'
import { zipInputs } from '../../../src/archive/zip-writer.js'
import { prepareOutput } from '../../../src/runner/executor/output/output-files.js'
import { OutputFollower } from '../../../src/runner/executor/output/output-follower.js'
import { selectFiles } from '../../../src/runner/workspace/select-files.js'
import { NEVER } from '../../runner/executor/docker-jobs.js'
import { openWorkspace } from '../../runner/workspace/workspaces.js'

const SECRET = 'of the host'
const TB = 1024 ** 4
const GB = 1024 ** 3
const MB = 1024 ** 2

/** A folder of a job with something at `x`, and a file of the host that it must not show. */
interface Place {
  folder: string
  secret: string
}

function openPlace(fileSystem: string): Place {
  const home = mkdtempSync(join(fileSystem, 'switchyard-left-'))
  onTestFinished(() => remove(home))
  const place = { folder: join(home, 'work'), secret: join(home, 'secret') }
  mkdirSync(place.folder)
  writeFileSync(place.secret, SECRET)
  return place
}

/** Node.js cannot open very long paths, and takes less time than a process where there are none. */
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    execFileSync('rm', ['-rf', folder])
  }
}

function sparse(path: string, size: number): void {
  writeFileSync(path, '')
  truncateSync(path, size)
}

type Outcome = 'refused' | 'left out' | 'read'
interface Reader {
  /** What is read: text of a file, or the fact that there is an entry. */
  read: (place: Place, signal: AbortSignal) => Promise<string>
}

const READERS = {
  'the output of a script': {
    async read({ folder }, signal) {
      const record = { directory: folder, token: 'ab12', headBytes: 2 * MB, segmentBytes: MB }
      renameSync(join(folder, 'x'), join(folder, '0'))
      const chunks: Buffer[] = []
      const follower = new OutputFollower(record, async (bytes) => void chunks.push(bytes))
      follower.finish(signal)
      await follower.follow()
      return Buffer.concat(chunks).toString()
    },
  },
  'the digest of a cache': {
    read: async ({ folder }, signal) => {
      const nothing = await digestOfFiles(folder, [])
      return (await digestOfFiles(folder, ['x'], signal)) === nothing ? '' : 'entry'
    },
  },
  'the archive of a cache or artifact': {
    read: async ({ folder }, signal) =>
      (await buffer(zipInputs(new TreeReader(folder, signal).inputs(['x']), { level: 0 }))).toString(),
  },
  'a dotenv file or another report': {
    read: async ({ folder }, signal) => {
      const bytes = await buffer(gzipInputs(new TreeReader(folder, signal).inputs(['x']), 1))
      return bytes.length === 0 ? '' : gunzipSync(bytes).toString()
    },
  },
  'a raw artifact or the text of a release': {
    read: async ({ folder }, signal) => {
      const { content } = await new TreeReader(folder, signal).openFile('x')
      const chunks: Buffer[] = []
      for await (const chunk of content) chunks.push(chunk)
      return Buffer.concat(chunks).toString()
    },
  },
} satisfies Record<string, Reader>

async function outcomeOf(reader: Reader, place: Place, signal = NEVER): Promise<Outcome> {
  let text: string
  try {
    text = await reader.read(place, signal)
  } catch (error) {
    expect(String(error)).toMatch(/is not a regular file|more than .*archive may hold|replaced the file/)
    return 'refused'
  }
  expect(text).not.toContain(SECRET)
  const end = Buffer.from('PK\x05\x06').toString()
  return text === '' || text.startsWith(end) ? 'left out' : 'read'
}

/** What a job leaves at `x`, and what becomes of it, in the order of `READERS`. */
const LEFT: [string, (path: string, place: Place) => void, Outcome[]][] = [
  ['a file', (path) => writeFileSync(path, 'own'), ['read', 'read', 'read', 'read', 'read']],
  ['an empty file', (path) => writeFileSync(path, ''), ['left out', 'read', 'read', 'left out', 'left out']],
  [
    'a second name of its own file',
    (path, { folder }) => {
      writeFileSync(join(folder, 'own'), 'own')
      linkSync(join(folder, 'own'), path)
    },
    ['read', 'read', 'read', 'read', 'read'],
  ],
  [
    'a sparse file of 15 TB',
    (path) => sparse(path, 15 * TB),
    ['refused', 'refused', 'refused', 'refused', 'refused'],
  ],
  [
    'a pipe',
    (path) => void execFileSync('mkfifo', [path]),
    ['refused', 'left out', 'left out', 'refused', 'refused'],
  ],
  [
    'a socket',
    (path) => {
      const server = createServer().listen(path)
      onTestFinished(() => void server.close())
    },
    ['refused', 'left out', 'left out', 'refused', 'refused'],
  ],
  ['a directory', (path) => mkdirSync(path), ['refused', 'read', 'read', 'left out', 'refused']],
  [
    'a link to a file of the host',
    (path, { secret }) => symlinkSync(secret, path),
    ['refused', 'read', 'read', 'refused', 'refused'],
  ],
  [
    'a link to a device without an end',
    (path) => symlinkSync('/dev/zero', path),
    ['refused', 'read', 'read', 'refused', 'refused'],
  ],
  ['a link to itself', (path) => symlinkSync('x', path), ['refused', 'read', 'read', 'refused', 'refused']],
]
if (canMakeDevices()) {
  LEFT.push([
    'a device without an end',
    (path) => void execFileSync('mknod', [path, 'c', '1', '5']),
    ['refused', 'left out', 'left out', 'refused', 'refused'],
  ])
}

function canMakeDevices(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-device-'))
  try {
    execFileSync('mknod', [join(folder, 'zero'), 'c', '1', '5'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** `/dev/shm` is a tmpfs wherever it exists. */
const FILE_SYSTEMS = [tmpdir(), '/dev/shm'].filter((path) => existsSync(path))

describe.each(FILE_SYSTEMS)('in %s', (fileSystem) => {
  describe.each(Object.entries(READERS))('%s', (name, reader) => {
    const column = Object.keys(READERS).indexOf(name)

    test.each(LEFT.map(([what, make, outcomes]) => [what, outcomes[column], make] as const))(
      'that is %s is %s, without waiting and without a byte of the host',
      async (_what, outcome, make) => {
        const place = openPlace(fileSystem)
        make(join(place.folder, 'x'), place)
        expect(await outcomeOf(reader, place)).toBe(outcome)
      },
    )

    test('ends in the middle of a file when the job is stopped', async () => {
      const place = openPlace(fileSystem)
      sparse(join(place.folder, 'x'), name === 'the output of a script' ? 2 * MB : 90 * GB)
      const stop = new Error('stopped')
      const signal = atCheck(2, (controller) => controller.abort(stop))
      const reading = reader.read(place, signal)
      if (name === 'the output of a script') expect((await reading).length).toBeLessThan(2 * MB)
      else await expect(reading).rejects.toBe(stop)
    })
  })
})

/** A signal that does something when a reader asks it for the `time`th time, which is in the middle of its work. */
function atCheck(time: number, act: (controller: AbortController) => void): AbortSignal {
  const controller = new AbortController()
  let checks = 0
  return watched(controller.signal, () => {
    if (++checks === time) act(controller)
  })
}

function watched(signal: AbortSignal, onCheck: () => void): AbortSignal {
  return new Proxy(signal, {
    get(target, key) {
      if (key === 'throwIfAborted' || key === 'aborted') onCheck()
      const value: unknown = Reflect.get(target, key, target)
      const bound: unknown = typeof value === 'function' ? value.bind(target) : value
      return bound
    },
  })
}

describe.each(FILE_SYSTEMS)('with a writer at work in %s', (fileSystem) => {
  const CHUNK = Buffer.alloc(4 * MB)

  test.each([
    ['the digest of a cache'],
    ['the archive of a cache or artifact'],
    ['a dotenv file or another report'],
    ['a raw artifact or the text of a release'],
  ] as const)('%s ends at the size that the file had when it was opened', async (name) => {
    const place = openPlace(fileSystem)
    const path = join(place.folder, 'x')
    sparse(path, 3 * MB)
    const text = await READERS[name].read(
      place,
      // The file grows faster than it is read.
      watched(NEVER, () => appendFileSync(path, CHUNK)),
    )
    // It grew once before it was opened.
    if (name !== 'the digest of a cache') expect(text.length).toBeLessThan(8 * MB)
    expect((await stat(path)).size).toBeGreaterThan(8 * MB)
  })

  test('a file that is cut while it is read is read to its new end', async () => {
    const place = openPlace(fileSystem)
    const path = join(place.folder, 'x')
    sparse(path, 3 * MB)
    const signal = atCheck(3, () => truncateSync(path, MB))
    const reader = READERS['a raw artifact or the text of a release']
    expect((await reader.read(place, signal)).length).toBeLessThan(3 * MB)
  })

  test('a directory that is replaced by a link shows nothing of where it leads', async () => {
    const place = openPlace(fileSystem)
    const folder = join(place.folder, 'dir')
    mkdirSync(folder)
    for (const name of ['a', 'secret']) writeFileSync(join(folder, name), 'own')
    const reader = new TreeReader(place.folder)
    const [first, second] = [...reader.inputs(['dir/a', 'dir/secret'])]
    await expect(first?.()).resolves.toMatchObject({ kind: 'file' })
    renameSync(folder, join(place.folder, 'moved'))
    symlinkSync('..', folder)
    await expect(second?.()).rejects.toThrow('dir/secret is not a regular file')
    await expect(reader.openFile('dir/secret')).rejects.toThrow('dir/secret is not a regular file')
    symlinkSync('target', join(place.folder, '../link'))
    const [link] = [...reader.inputs(['dir/link'])]
    await expect(link?.()).rejects.toThrow()
  })
})

describe('the output of a script', () => {
  const RECORD = { token: 'ab12', headBytes: 2 * MB, segmentBytes: MB }

  test('is not read beyond what its writer can have left, however many files the job makes', async () => {
    const { folder } = openPlace(tmpdir())
    sparse(join(folder, '0'), 2 * MB)
    for (let index = 1; index <= 40; index++) sparse(join(folder, String(index)), MB)
    let bytes = 0
    const follower = new OutputFollower({ ...RECORD, directory: folder }, async (chunk) => {
      bytes += chunk.length
    })
    follower.finish(NEVER)
    await expect(follower.follow()).rejects.toThrow('The job replaced the file of its own output')
    expect(bytes).toBeLessThan(16 * MB)
  })

  test.each(LEFT)('finds an empty folder after %s', async (_what, make) => {
    const place = openPlace(tmpdir())
    for (const name of ['0', 'run', 'pipe', '\x1b[2J\n']) make(join(place.folder, name), place)
    await prepareOutput({ ...RECORD, directory: place.folder }, NEVER)
    expect((await stat(join(place.folder, 'run'))).isFile()).toBe(true)
    await expect(stat(join(place.folder, '0'))).rejects.toThrow('ENOENT')
    expect(await readFile(place.secret, 'utf8')).toBe(SECRET)
  })
})

test.each(LEFT)('the script of the next stage replaces %s', async (_what, make) => {
  const { workspace, temporary } = await openWorkspace()
  const secret = join(temporary, '../secret')
  writeFileSync(secret, SECRET)
  make(join(temporary, 'stage-script'), { folder: temporary, secret })
  await workspace.writeTemporaryFile('stage-script', 'echo next')
  expect(await readFile(join(temporary, 'stage-script'), 'utf8')).toBe('echo next')
  expect(await readFile(secret, 'utf8')).toBe(SECRET)
})

describe('a selection of files', () => {
  const tree = (root: string) => ({ root, projectDir: '/builds/p', untrackedFiles: async () => [] })
  const ALL = { paths: ['**'], exclude: [], untracked: false }

  test('has a limit, and the refusal names the pattern', async () => {
    const { folder } = openPlace(tmpdir())
    for (let index = 0; index < 20; index++) writeFileSync(join(folder, String(index)), '')
    await expect(selectFiles(tree(folder), ALL, NEVER, 19)).rejects.toThrow('**: matches more than 19 files')
    expect((await selectFiles(tree(folder), ALL, NEVER, 20)).names).toHaveLength(20)
  })

  test('ends between two directories when the job is stopped', async () => {
    const { folder } = openPlace(tmpdir())
    for (let index = 0; index < 20; index++) mkdirSync(join(folder, String(index)))
    const stop = new Error('stopped')
    const signal = atCheck(10, (controller) => controller.abort(stop))
    await expect(selectFiles(tree(folder), ALL, signal)).rejects.toBe(stop)
  })

  test('leaves out names that are too long to open, and keeps the others', async () => {
    const { folder } = openPlace(tmpdir())
    for (let depth = 0; depth < 22; depth++) {
      mkdirSync(join(folder, 'next'))
      if (depth > 0) renameSync(join(folder, 'top'), join(folder, 'next', 'd'.repeat(200)))
      renameSync(join(folder, 'next'), join(folder, 'top'))
    }
    writeFileSync(join(folder, 'kept'), '')
    const { names, skipped } = await selectFiles(tree(folder), ALL, NEVER)
    expect(names).toContain('kept')
    expect(skipped).toHaveLength(1)
  })
})

test('a zip and its files have one digest, whatever bytes are in the target of a link', async () => {
  const { folder, secret } = openPlace(tmpdir())
  symlinkSync(Buffer.from([0x2f, 0xff, 0x61]), join(folder, 'x'))
  const zip = zipInputs(new TreeReader(folder).inputs(['x']), { level: 0 })
  await writeFile(secret, await buffer(zip))
  expect(await digestOfZip(secret)).toBe(await digestOfFiles(folder, ['x']))
})
