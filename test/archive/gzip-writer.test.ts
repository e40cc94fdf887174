import { mkdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'

import { expect, test } from 'vitest'

import { NotAFileError } from '../../src/archive/errors.js'
import { gzipInputs } from '../../src/archive/gzip-writer.js'
import { TreeReader } from '../../src/archive/tree-inputs.js'
import { tempDir } from '../support/temp-dir.js'

const WHEN = new Date('2024-05-06T07:08:10Z')

async function gzip(root: string, names: string[]): Promise<Buffer> {
  return buffer(gzipInputs(new TreeReader(root).inputs(names), 4))
}

/** Time, name and comment of the first member (RFC 1952). */
function headerOf(bytes: Buffer) {
  const nameEnd = bytes.indexOf(0, 10)
  const commentEnd = bytes.indexOf(0, nameEnd + 1)
  return {
    flags: bytes[3],
    seconds: bytes.readUInt32LE(4),
    name: bytes.toString('latin1', 10, nameEnd),
    comment: bytes.toString('latin1', nameEnd + 1, commentEnd),
  }
}

test('each file becomes one gzip member, in order', async () => {
  const root = await tempDir()
  await mkdir(join(root, 'reports'))
  const large = Buffer.alloc(2_000_000, '<testcase/>\n')
  await writeFile(join(root, 'reports/a.xml'), 'first\n')
  await writeFile(join(root, 'reports/b.xml'), large)
  await writeFile(join(root, 'reports/c.xml'), '')
  const bytes = await gzip(root, ['reports/', 'reports/a.xml', 'reports/b.xml', 'reports/c.xml'])
  expect(gunzipSync(bytes).equals(Buffer.concat([Buffer.from('first\n'), large]))).toBe(true)
  expect((await gzip(root, ['reports/a.xml', 'reports/b.xml', 'reports/c.xml'])).equals(bytes)).toBe(true)
})

test.each([
  ['reports/junit.xml', 'junit.xml', 'reports/junit.xml'],
  ['100%.xml', 'e:100%25.xml', 'e:100%25.xml'],
  ['é/junit.xml', 'junit.xml', 'e:%C3%A9%2Fjunit.xml'],
])('the gzip header of %s contains its base name and path', async (path, name, comment) => {
  const root = await tempDir()
  await mkdir(join(root, path, '..'), { recursive: true })
  await writeFile(join(root, path), 'x')
  await utimes(join(root, path), WHEN, WHEN)
  expect(headerOf(await gzip(root, [path]))).toEqual({
    flags: 0x18,
    seconds: WHEN.getTime() / 1000,
    name,
    comment,
  })
})

test('a link is rejected instead of a file', async () => {
  const root = await tempDir()
  await symlink('/etc/passwd', join(root, 'link'))
  await expect(gzip(root, ['link'])).rejects.toThrow(NotAFileError)
})
