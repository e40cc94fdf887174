import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

import { expect, test } from 'vitest'

import {
  isRepeatable,
  readHead,
} from '../../../../../../src/coordinator/hosting/repositories/http/shared-fetches/repeatable-fetch.js'
import { FLUSH, pktLine } from '../../../../../../src/git/pkt-line.js'

const ID = '0123456789012345678901234567890123456789'
const DELIMITER = Buffer.from('0001')

function request(...lines: (string | Buffer)[]): Buffer {
  return Buffer.concat(lines.map((line) => (typeof line === 'string' ? pktLine(`${line}\n`) : line)))
}

test.each([
  ['a clone', request('command=fetch', DELIMITER, `want ${ID}`, 'done', FLUSH), true],
  ['a shallow clone', request('command=fetch', DELIMITER, `want ${ID}`, 'deepen 20', 'done', FLUSH), true],
  ['a clone in version 0', request(`want ${ID} side-band-64k`, FLUSH, 'done'), true],
  ['a clone without blobs', request(`want ${ID}`, 'filter blob:none', 'done', FLUSH), true],
  ['a fetch of a client that has commits', request(`want ${ID}`, `have ${ID}`, 'done', FLUSH), false],
  ['a request for a ref by its name', request('want-ref refs/heads/main', `want ${ID}`, 'done'), false],
  ['history up to a branch', request(`want ${ID}`, 'deepen-not refs/heads/main', 'done'), false],
  ['a question that git answers before the objects', request(`want ${ID}`, 'deepen 1', FLUSH), false],
  ['a list of refs', request('command=ls-refs', DELIMITER, 'peel', FLUSH), false],
  ['a request without commits', request('done'), false],
  ['nothing', Buffer.alloc(0), false],
  ['a line that is cut off', request(`want ${ID}`, 'done').subarray(0, -1), false],
  ['another protocol', Buffer.from(`want ${ID}\ndone\n`), false],
])('%s', (_name, bytes, expected) => {
  expect(isRepeatable(bytes)).toBe(expected)
})

test('a body is read whole and can be read again', async () => {
  const { whole, body } = await readHead(Readable.from([Buffer.from('want '), Buffer.from('all')]))
  expect(whole?.toString()).toBe('want all')
  for (let turn = 0; turn < 2; turn++) expect(String(await buffer(body))).toBe('want all')
})

test('a long body is passed on without being compared', async () => {
  const pieces = Array.from({ length: 30 }, (_, index) => Buffer.alloc(10_000, index))
  const { whole, body } = await readHead(Readable.from(pieces))
  expect(whole).toBeUndefined()
  expect(Buffer.concat(pieces).equals(await buffer(body))).toBe(true)
})

test('a client that leaves during a long body ends the reading of it', async () => {
  const source = Readable.from(Array.from({ length: 30 }, () => Buffer.alloc(10_000)))
  const { body } = await readHead(source)
  for await (const piece of body) {
    expect(piece).toHaveLength(10_000)
    break
  }
  expect(source.destroyed).toBe(true)
})
