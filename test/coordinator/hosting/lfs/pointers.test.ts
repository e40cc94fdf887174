import { expect, test } from 'vitest'

import { parsePointer } from '../../../../src/coordinator/hosting/lfs/pointers.js'
import { oidOf } from './lfs-client.js'

const oid = oidOf('a')
const VERSION = 'version https://git-lfs.github.com/spec/v1\n'
const REST = `oid sha256:${oid}\nsize 12\n`
const EXTENSION = `ext-0-foo sha256:${oid}\n`

test.each([VERSION + REST, VERSION + EXTENSION + REST, (VERSION + REST).trimEnd()])(
  'a pointer is recognized: %j',
  (content) => {
    expect(parsePointer(Buffer.from(content))).toEqual({ oid, size: 12 })
  },
)

test.each([
  '',
  REST,
  `${VERSION}oid sha256:${oid.slice(1)}\nsize 12\n`,
  `${VERSION}oid sha256:${oid.toUpperCase()}\nsize 12\n`,
  `${VERSION}oid md5:${oid}\nsize 12\n`,
  `${VERSION}oid sha256:${oid}\nsize -1\n`,
  `${VERSION}${REST}more\n`,
  `text\n${VERSION}${REST}`,
  VERSION + EXTENSION.repeat(20) + REST,
])('another file is no pointer: %j', (content) => {
  expect(parsePointer(Buffer.from(content))).toBeUndefined()
})
