import { ByteReader } from '../../../../git/byte-reader.js'
import { ZERO_ID } from '../../../../git/names.js'
import { FLUSH, type PktLine, pktLine, readPktLine, sideband } from '../../../../git/pkt-line.js'
import type { RefChange } from '../../../database/tables/repositories.js'
import type { PushHead } from './push-head.js'
import { wantsReport } from './push-report.js'

/** Refs of the coordinator that clients fetch, so that a mirror has them. */
const FETCHED = ['refs/pipelines/', 'refs/merge-requests/']

/**
 * A mirror of the repository pushes all refs back that it has fetched. Those of the coordinator are not advertised to it,
 * so that it creates them, and its push would be refused as a whole. They are left out instead.
 */
export function isIgnored({ ref, before, after }: RefChange): boolean {
  return before === ZERO_ID && after !== ZERO_ID && FETCHED.some((prefix) => ref.startsWith(prefix))
}

/** The message that the client shows about the refs that are left out. */
export function ignoredNote(ignored: readonly RefChange[]): string {
  const [first] = ignored
  const others = ignored.length > 1 ? ` and ${ignored.length - 1} more` : ''
  return `Ignored ${first?.ref ?? ''}${others}: refs of pipelines and merge requests are made by the server.`
}

/** The response to a push whose refs are all left out. Empty for a client that requests no report. */
export function ignoredReport(head: PushHead, ignored: readonly RefChange[]): Buffer {
  const report = wantsReport(head)
    ? Buffer.concat([pktLine('unpack ok\n'), ...okLines(ignored), FLUSH])
    : Buffer.alloc(0)
  if (!head.capabilities.has('side-band-64k')) return report
  return Buffer.concat([sideband(2, `${ignoredNote(ignored)}\n`), sideband(1, report), FLUSH])
}

/** Adds the refs that are left out to the report of git, as accepted. */
export async function* withIgnored(
  output: AsyncIterable<Buffer>,
  head: PushHead,
  ignored: readonly RefChange[],
): AsyncGenerator<Buffer> {
  if (ignored.length === 0 || !wantsReport(head)) {
    yield* output
    return
  }
  const reader = new ByteReader(output)
  const lines = head.capabilities.has('side-band-64k')
    ? muxedLines(reader, ignored)
    : plainLines(reader, ignored)
  yield* lines
}

/** The report itself. */
async function* plainLines(reader: ByteReader, ignored: readonly RefChange[]): AsyncGenerator<Buffer> {
  for (let line = await readPktLine(reader); line !== undefined; line = await readPktLine(reader)) {
    if (line === 'flush') yield Buffer.concat([...okLines(ignored), FLUSH])
    else yield line.raw
  }
}

/** The report is on channel 1, in pieces of any size. Its end is the flush packet in it. */
async function* muxedLines(reader: ByteReader, ignored: readonly RefChange[]): AsyncGenerator<Buffer> {
  const report: Buffer[] = []
  let line: PktLine | undefined
  while ((line = await readPktLine(reader)) !== undefined && line !== 'flush') {
    if (line.content[0] === 1) report.push(line.content.subarray(1))
    else yield line.raw
  }
  const whole = Buffer.concat(report)
  const isWhole = whole.subarray(-FLUSH.length).equals(FLUSH)
  if (isWhole)
    yield sideband(1, Buffer.concat([whole.subarray(0, -FLUSH.length), ...okLines(ignored), FLUSH]))
  else if (whole.length > 0) yield sideband(1, whole)
  if (line === 'flush') yield FLUSH
}

function okLines(ignored: readonly RefChange[]): Buffer[] {
  return ignored.map(({ ref }) => pktLine(`ok ${ref}\n`))
}
