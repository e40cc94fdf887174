import { Readable } from 'node:stream'

import { expect, test } from 'vitest'

import { safeFileName } from '../../../../src/coordinator/ci/storage/safe-file-name.js'
import { sniffType } from '../../../../src/coordinator/ci/storage/sniff-type.js'

test.each([
  ['a PNG', '89504e470d0a1a0a0000', 'image/png', true],
  ['a JPEG', 'ffd8ffe0', 'image/jpeg', true],
  ['a GIF', '474946383961', 'image/gif', true],
  ['a WebP', '524946460000000057454250', 'image/webp', true],
  ['another RIFF', '524946460000000057415645', 'application/octet-stream', false],
  ['an MP4', '000000186674797069736f6d', 'video/mp4', true],
  ['a PDF', '255044462d312e37', 'application/pdf', false],
  ['a page', Buffer.from('<!doctype html><script>').toString('hex'), 'application/octet-stream', false],
  [
    'a drawing with a script',
    Buffer.from('<svg onload="x()">').toString('hex'),
    'application/octet-stream',
    false,
  ],
  ['nothing', '', 'application/octet-stream', false],
])('%s is known by its first bytes', async (_name, hex, type, isMedia) => {
  const bytes = Buffer.from(hex, 'hex')
  expect(await sniffType(Readable.from([...bytes].map((byte) => Buffer.of(byte))))).toMatchObject({
    type,
    isMedia,
  })
})

test.each([
  ['a b.png', 'a_b.png'],
  ['../../etc/passwd', 'passwd'],
  ['..\\..\\boot.ini', 'boot.ini'],
  ['/abs', 'abs'],
  ['.htaccess', '_htaccess'],
  ['...', '_'],
  ['', 'file'],
  ['a\0.png', 'a_.png'],
  ['gpj.\u202egnp.exe', 'gpj._gnp.exe'],
  ['a"b<c>;d.svg', 'a_b_c__d.svg'],
  ['Grüße 日本.txt', 'Grüße_日本.txt'],
  [`${'x'.repeat(300)}.png`, `${'x'.repeat(196)}.png`],
])('%j is kept as %j', (name, kept) => {
  expect(safeFileName(name)).toBe(kept)
})
