import type { ByteReader } from './byte-reader.js'
import { PktLineError } from './errors.js'

/** Git's framing: four hex digits with the length (including themselves), then the bytes. */
export function pktLine(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content)
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes])
}

export const FLUSH = Buffer.from('0000')

/** Maximum content of one line if several channels share the stream (side-band-64k). */
const MAX_SIDEBAND_BYTES = 65515

/**
 * Frames bytes for one channel of a response. Channel 1 is the response itself, channel 2 is text that git shows
 * after `remote:`.
 */
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

/** One line as it was sent (`raw`) and its content. `flush` is the mark that ends a list. */
export type PktLine = { raw: Buffer; content: Buffer } | 'flush'

/** The next line. Undefined at the end of the stream. Throws `PktLineError` for invalid framing. */
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
