import { Readable } from 'node:stream'

import { expect, test } from 'vitest'

import {
  type PushHead,
  pushOf,
  readPushHead,
} from '../../../../../src/coordinator/hosting/repositories/push/push-head.js'
import { refusalReport } from '../../../../../src/coordinator/hosting/repositories/push/push-report.js'
import { ByteReader } from '../../../../../src/git/byte-reader.js'
import { FLUSH, pktLine } from '../../../../../src/git/pkt-line.js'

const [A, B] = ['a'.repeat(40), 'b'.repeat(40)]
const CAPABILITIES = 'report-status side-band-64k push-options object-format=sha1 agent=git/2.39'

function readerOf(...parts: (Buffer | string)[]): ByteReader {
  return new ByteReader(Readable.from([Buffer.concat(parts.map((part) => Buffer.from(part)))]))
}

test('refs, capabilities and options are read, and the pack is left', async () => {
  const head = [
    pktLine(`shallow ${B}\n`),
    pktLine(`${A} ${B} refs/heads/main\0 ${CAPABILITIES}`),
    pktLine(`${A} ${B} refs/tags/v1`),
    FLUSH,
    pktLine('ci.skip'),
    pktLine('ci.variable=A=b c'),
    FLUSH,
  ]
  const reader = readerOf(...head, 'PACK...')
  expect(await readPushHead(reader)).toMatchObject({
    changes: [
      { ref: 'refs/heads/main', before: A, after: B },
      { ref: 'refs/tags/v1', before: A, after: B },
    ],
    capabilities: new Set(CAPABILITIES.split(' ')),
    options: ['ci.skip', 'ci.variable=A=b c'],
    raw: Buffer.concat(head),
  })
  expect((await reader.take(7))?.toString()).toBe('PACK...')
})

test('a push of some of its changes keeps the shallow commits, the capabilities and the options', async () => {
  const lines = (...commands: string[]) => [
    pktLine(`shallow ${B}`),
    ...commands.map((line) => pktLine(line)),
    FLUSH,
    pktLine('ci.skip'),
    FLUSH,
  ]
  const [main, tag] = [`${A} ${B} refs/heads/main`, `${A} ${B} refs/tags/v1`]
  const head = await readPushHead(readerOf(...lines(`${main}\0 ${CAPABILITIES}`, tag)))
  expect(pushOf(head, head.changes).raw).toEqual(head.raw)
  const part = pushOf(head, head.changes.slice(1))
  expect(part.raw.toString()).toBe(Buffer.concat(lines(`${tag}\0 ${CAPABILITIES}`)).toString())
})

test('the probe of a client has no changes', async () => {
  expect((await readPushHead(readerOf(FLUSH))).changes).toEqual([])
})

test.each([
  ['nothing at all', [], 'is incomplete'],
  ['no flush mark', [pktLine(`${A} ${B} refs/heads/main`)], 'is incomplete'],
  ['a short id', [pktLine('abc def refs/heads/main'), FLUSH], 'is not a valid command'],
  [
    'a ref that leaves the repository',
    [pktLine(`${A} ${B} refs/heads/../../x`), FLUSH],
    'is not a valid ref name',
  ],
  [
    'a name that is not UTF-8',
    [pktLine(Buffer.concat([Buffer.from(`${A} ${B} refs/heads/m`), Buffer.of(0xe4)])), FLUSH],
    'not valid UTF-8',
  ],
  ['another protocol', ['GET / HTTP/1.1'], 'not a git request'],
])('%s is refused', async (_name, parts, message) => {
  await expect(readPushHead(readerOf(...parts))).rejects.toThrow(message)
})

const head = (...capabilities: string[]): PushHead => ({
  changes: [{ ref: 'refs/heads/main', before: A, after: B }],
  capabilities: new Set(capabilities),
  options: [],
  raw: Buffer.alloc(0),
  shallow: [],
  rawOptions: Buffer.alloc(0),
})

const REPORT = '000eunpack ok\n0031ng refs/heads/main pre-receive hook declined\n0000'

test.each([
  [['report-status', 'side-band-64k'], `000a\x02Not!\n0048\x01${REPORT}0000`],
  [['report-status-v2', 'side-band-64k'], `000a\x02Not!\n0048\x01${REPORT}0000`],
  [['report-status'], REPORT],
  [['side-band-64k'], '000a\x02Not!\n0000'],
  [[], ''],
])('a refusal for a client with %j', (capabilities, expected) => {
  expect(refusalReport(head(...capabilities), ['Not!']).toString()).toBe(expected)
})
