import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'

import { expect, test } from 'vitest'

import { UnreadableArchiveError, UnsafeArchiveError } from '../../src/archive/errors.js'
import { gunzipMembers } from '../../src/archive/gunzip-members.js'
import { gzipInputs } from '../../src/archive/gzip-writer.js'
import { TreeReader } from '../../src/archive/tree-inputs.js'
import { tempDir } from '../support/temp-dir.js'

async function textsOf(bytes: Buffer, maxBytes = 1000): Promise<string[]> {
  return (await gunzipMembers(bytes, maxBytes)).map((content) => content.toString())
}

test('gzip members are separated', async () => {
  const bytes = Buffer.concat(['one', '', 'three'].map((text) => gzipSync(text)))
  expect(await textsOf(bytes)).toEqual(['one', '', 'three'])
  expect(await textsOf(Buffer.alloc(0))).toEqual([])
})

test('gzip members with names and comments are read', async () => {
  const root = await tempDir()
  for (const name of ['a.env', 'b.env']) await writeFile(join(root, name), `in ${name}`)
  const bytes = await buffer(gzipInputs(new TreeReader(root).inputs(['a.env', 'b.env']), 6))
  expect(await textsOf(bytes)).toEqual(['in a.env', 'in b.env'])
})

test('the extra field and the header checksum are skipped', async () => {
  const plain = gzipSync('text')
  const header = Buffer.from(plain.subarray(0, 10))
  header.writeUInt8(0x04 | 0x02, 3)
  const extra = Buffer.from([3, 0, 1, 2, 3, 9, 9])
  expect(await textsOf(Buffer.concat([header, extra, plain.subarray(10)]))).toEqual(['text'])
})

const whole = gzipSync('some text')
const changed = Buffer.from(whole)
changed.writeUInt8(whole.readUInt8(whole.length - 5) ^ 1, whole.length - 5)

test.each([
  ['other bytes', Buffer.from('KEY=value')],
  ['half a header', whole.subarray(0, 7)],
  [
    'a name without an end',
    Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 8]), Buffer.alloc(6), Buffer.from('name')]),
  ],
  ['an extra field that is cut off', Buffer.from([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0, 9])],
  ['no content', whole.subarray(0, 10)],
  ['half a content', whole.subarray(0, 14)],
  ['no trailer', whole.subarray(0, -3)],
  ['a wrong checksum', changed],
  ['something behind the end', Buffer.concat([whole, Buffer.from('more')])],
])('%s is not a gzip file', async (_name, bytes) => {
  await expect(gunzipMembers(bytes, 1000)).rejects.toThrow(UnreadableArchiveError)
})

test('no more bytes are inflated than requested, in one member or in several', async () => {
  expect(await textsOf(gzipSync('x'.repeat(1000)))).toEqual(['x'.repeat(1000)])
  const bomb = gzipSync(Buffer.alloc(50_000_000))
  await expect(gunzipMembers(bomb, 1000)).rejects.toThrow(UnsafeArchiveError)
  const many = Buffer.concat([gzipSync('x'.repeat(600)), gzipSync('x'.repeat(600))])
  await expect(gunzipMembers(many, 1000)).rejects.toThrow(UnsafeArchiveError)
})
