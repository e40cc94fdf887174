import type { Readable } from 'node:stream'

interface Known {
  type: string
  extension: string
  /** Offset and bytes, in hex with `..` for any byte. */
  at: number
  bytes: string
  /** Whether browsers may show it inline: it is rendered and cannot contain scripts. */
  isMedia: boolean
}

const KNOWN: Known[] = [
  media('image/png', 'png', '89504e470d0a1a0a'),
  media('image/jpeg', 'jpg', 'ffd8ff'),
  media('image/gif', 'gif', '47494638'),
  media('image/webp', 'webp', '52494646........57454250'),
  media('image/bmp', 'bmp', '424d............'),
  media('image/tiff', 'tiff', '49492a00'),
  media('image/tiff', 'tiff', '4d4d002a'),
  media('image/vnd.microsoft.icon', 'ico', '00000100'),
  media('video/webm', 'webm', '1a45dfa3'),
  media('video/mp4', 'mp4', '66747970', 4),
  { ...media('application/pdf', 'pdf', '255044462d'), isMedia: false },
  { ...media('application/zip', 'zip', '504b0304'), isMedia: false },
  { ...media('application/gzip', 'gz', '1f8b'), isMedia: false },
]

function media(type: string, extension: string, bytes: string, at = 0): Known {
  return { type, extension, at, bytes, isMedia: true }
}

/** The file type, detected from the first bytes, independent of the file name. */
export interface SniffedType {
  /** `application/octet-stream` for unknown types; never a type that can contain scripts. */
  type: string
  /** The usual extension; undefined for unknown types. */
  extension: string | undefined
  isMedia: boolean
}

const UNKNOWN: SniffedType = { type: 'application/octet-stream', extension: undefined, isMedia: false }

/** Enough for every known beginning. */
const HEAD_BYTES = 64

/** Reads the beginning of the stream and closes it. */
export async function sniffType(body: Readable): Promise<SniffedType> {
  const head = await readHead(body)
  const found = KNOWN.find((known) => matches(known, head))
  return found ? { type: found.type, extension: found.extension, isMedia: found.isMedia } : UNKNOWN
}

async function readHead(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= HEAD_BYTES) break
  }
  return Buffer.concat(chunks).subarray(0, HEAD_BYTES)
}

function matches({ at, bytes }: Known, head: Buffer): boolean {
  const found = head.subarray(at, at + bytes.length / 2).toString('hex')
  return (
    found.length === bytes.length &&
    Array.from(bytes).every((digit, index) => digit === '.' || digit === found[index])
  )
}
