import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'

import fc from 'fast-check'
import { expect, test } from 'vitest'

import { UnreadableArchiveError, UnsafeArchiveError } from '../../src/archive/errors.js'
import { DEFAULT_LIMITS } from '../../src/archive/extract-limits.js'
import { extractZip } from '../../src/archive/extract-zip.js'
import { fuzzRuns } from '../support/fuzz-runs.js'
import { type HostileEntry, hostileZip } from '../support/hostile-zip.js'
import { IS_NIGHTLY } from '../support/nightly.js'
import { makeTempDir, tempDir } from '../support/temp-dir.js'
import { zipFiles } from '../support/zip-files.js'

const { numRuns: RUNS } = fuzzRuns(IS_NIGHTLY ? 100 : 40)
const LIMITS = { ...DEFAULT_LIMITS, maximumBytes: 50_000_000 }
const TIME_LIMIT = 20 * 60_000

/** Unpacks into a tree beside which nothing may change; returns what it was refused with. */
async function extractBeside(zip: Buffer): Promise<unknown> {
  const { path, remove } = await makeTempDir()
  const [tree, outside] = [join(path, 'tree'), join(path, 'outside')]
  await mkdir(tree)
  await mkdir(outside)
  await writeFile(join(outside, 'victim'), 'untouched')
  await symlink(outside, join(tree, 'door'))
  await writeFile(join(path, 'a.zip'), zip)
  const error: unknown = await extractZip(join(path, 'a.zip'), tree, undefined, LIMITS).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect((await readdir(path)).sort()).toEqual(['a.zip', 'outside', 'tree'])
  expect(await readdir(outside)).toEqual(['victim'])
  expect(await readFile(join(outside, 'victim'), 'utf8')).toBe('untouched')
  await remove()
  return error
}

function expectOurError(error: unknown): void {
  if (error === undefined || error instanceof UnsafeArchiveError || error instanceof UnreadableArchiveError)
    return
  // Names that no file system takes: too long, for example.
  expect(error).toMatchObject({ code: expect.stringMatching(/^(ENAMETOOLONG|EINVAL)$/) as string })
}

async function sampleZip(): Promise<Buffer> {
  const root = await tempDir()
  await mkdir(join(root, 'dir'))
  await writeFile(join(root, 'dir/text'), 'some text\n'.repeat(500))
  await writeFile(join(root, 'dir/noise'), randomBytes(600_000))
  await writeFile(join(root, 'empty'), '')
  await symlink('dir/text', join(root, 'link'))
  return buffer(zipFiles(root, ['dir/', 'dir/noise', 'dir/text', 'empty', 'link'], { level: 5 }))
}

test(
  'a damaged zip is extracted or rejected, and nothing is written outside the tree',
  async () => {
    const zip = await sampleZip()
    // Records are at both ends; the middle is noise.
    const place = fc.oneof(
      fc.integer({ min: 0, max: 200 }),
      fc.integer({ min: zip.length - 1000, max: zip.length - 1 }),
      fc.integer({ min: 0, max: zip.length - 1 }),
    )
    const change = fc.record({ at: place, byte: fc.integer({ min: 0, max: 255 }) })
    const cut = fc.option(fc.record({ from: place, to: place }), { freq: 3 })
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 6 }), cut, async (changes, range) => {
        const changed = Buffer.from(zip)
        for (const { at, byte } of changes) changed[at] = byte
        const mutated = range
          ? Buffer.concat([changed.subarray(0, range.from), changed.subarray(range.to)])
          : changed
        expectOurError(await extractBeside(mutated))
      }),
      { numRuns: RUNS },
    )
  },
  TIME_LIMIT,
)

const name = fc.oneof(
  fc
    .array(fc.constantFrom('a', 'b', 'door', 'link', '..', '.', '', 'victim', '\\', '\0', 'C:', 'ü'), {
      minLength: 1,
      maxLength: 4,
    })
    .map((parts) => parts.join('/')),
  fc.string({ maxLength: 20 }),
)
const entry: fc.Arbitrary<HostileEntry> = fc.record(
  {
    name,
    content: fc.oneof(name, fc.constantFrom('..', '../outside', '/etc', 'door', 'a/b', '.')),
    mode: fc.constantFrom(0o100644, 0o120777, 0o040755, 0o020666, 0o010666, 0o107777, 0, 0o100000),
  },
  { requiredKeys: ['name'] },
)

test(
  'entries with any names, links and kinds write nothing outside the tree',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 6 }), async (entries) => {
        expectOurError(await extractBeside(hostileZip(entries)))
      }),
      { numRuns: RUNS },
    )
  },
  TIME_LIMIT,
)
