import { expect, test } from 'vitest'

import { readByteRange } from '../../../../src/coordinator/ci/jobs/byte-range.js'
import { splitRefAndFile } from '../../../../src/coordinator/ci/jobs/file-operations.js'
import { attachment } from '../../../../src/coordinator/ci/jobs/send-bytes.js'

test.each([
  [undefined, 'whole'],
  ['bytes=', 'whole'],
  ['bytes=-', 'whole'],
  ['items=0-1', 'whole'],
  ['bytes=0-1,3-4', 'whole'],
  ['bytes=5-2', 'whole'],
  ['bytes=0-0', [0, 0]],
  ['bytes=3-', [3, 9]],
  ['bytes=3-99', [3, 9]],
  ['bytes=-3', [7, 9]],
  ['bytes=-99', [0, 9]],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
])('of ten bytes %j means %j', (header, meaning) => {
  const requested = readByteRange(header, 10)
  const { kind } = requested
  expect(kind === 'part' ? [requested.range.start, requested.range.end] : kind).toEqual(meaning)
})

test.each([
  ['main/download', { ref: 'main' }],
  ['feature/x/download', { ref: 'feature/x' }],
  ['feature/x/raw/dist/a.txt', { ref: 'feature/x', path: 'dist/a.txt' }],
  ['a/raw/b/raw/c', { ref: 'a/raw/b', path: 'c' }],
  ['main', undefined],
  ['main/raw/', undefined],
])('%s is split into %j', (tail, parts) => {
  expect(splitRefAndFile(tail)).toEqual(parts)
})

test('a file name cannot leave the quotes of its header', () => {
  expect(attachment('a"b\r\nc é.zip')).toBe(
    `attachment; filename="a_b__c _.zip"; filename*=UTF-8''a%22b%0D%0Ac%20%C3%A9.zip`,
  )
})
