import type { ByteReader } from './byte-reader.js'
import { PktLineError } from './errors.js'

/** Git's framing: four hex digits with the length (themselves included), then the bytes. */
export function pktLine(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content)
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes])
}

export const FLUSH = Buffer.from('0000')

/** Content of one line at most, when several channels share the stream (side-band-64k). */
const MAX_SIDEBAND_BYTES = 65515

/** Bytes for one channel of a response: 1 = the answer itself, 2 = text that git shows behind `remote:`. */
export function sideband(channel: 1 | 2, content: string | Buffer): Buffer {
  const bytes = Buffer.from(content)
  const lines: Buffer[] = []
  for (let start = 0; start < bytes.length; start += MAX_SIDEBAND_BYTES) {
    lines.push(
      pktLine(Buffer.concat([Buffer.of(channel), bytes.subarray(start, start + MAX_SIDEBAND_BYTES)])),
    )
  }
  return Buffer.concat(lines)
}

/** One line as it was sent (`raw`) and what is in it; `flush` for the mark that ends a list. */
export type PktLine = { raw: Buffer; content: Buffer } | 'flush'

/** The next line; undefined at the end of the stream. Throws `PktLineError` for anything else. */
export async function readPktLine(reader: ByteReader): Promise<PktLine | undefined> {
  const prefix = await reader.take(4)
  if (!prefix) return undefined
  if (!/^[0-9a-f]{4}$/i.test(prefix.toString('latin1'))) throw new PktLineError('length is not a hex number')
  const length = Number.parseInt(prefix.toString('latin1'), 16)
  if (length === 0) return 'flush'
  if (length < 4) throw new PktLineError(`length ${length} has no meaning here`)
  const content = await reader.take(length - 4)
  if (!content) throw new PktLineError('stream ended inside a line')
  return { raw: Buffer.concat([prefix, content]), content }
}
