import type { ByteReader } from '../../../../git/byte-reader.js'
import { isObjectId, isRefName } from '../../../../git/names.js'
import { FLUSH, type PktLine, pktLine, readPktLine } from '../../../../git/pkt-line.js'
import type { RefChange } from '../../../database/tables/repositories.js'
import { InvalidPushError } from '../errors.js'

/** The part of a push before its pack: the ref updates, and the capabilities of the client. */
export interface PushHead {
  changes: RefChange[]
  capabilities: Set<string>
  /** Values of `git push -o`. */
  options: string[]
  /** The bytes read so far, to pass them to git. */
  raw: Buffer
  /** The lines of a shallow clone among the commands, and the bytes of the options. */
  shallow: string[]
  rawOptions: Buffer
}

/** Maximum size of a head in bytes, enough for some 100,000 refs. */
const MAX_HEAD_BYTES = 16 * 1024 * 1024

/**
 * Reads the head of a `git-receive-pack` request and leaves the pack unread. Clients send an empty list of
 * changes to test their credentials. Throws `InvalidPushError` or `PktLineError`.
 */
export async function readPushHead(reader: ByteReader): Promise<PushHead> {
  const raw: Buffer[] = []
  const commands = (await readList(reader, raw)).map(readLine)
  const capabilities = new Set(commands.flatMap(capabilitiesOf))
  const changes = commands.filter((line) => !isShallow(line)).map(parseCommand)
  const shallow = commands.filter(isShallow).map((line) => line.split('\0')[0] ?? '')
  const hasOptions = changes.length > 0 && capabilities.has('push-options')
  const rawOptions: Buffer[] = []
  const options = hasOptions ? (await readList(reader, rawOptions)).map((line) => line.toString('utf8')) : []
  return {
    changes,
    capabilities,
    options,
    raw: Buffer.concat([...raw, ...rawOptions]),
    shallow,
    rawOptions: Buffer.concat(rawOptions),
  }
}

/** A copy of the push that contains only some of its changes. */
export function pushOf(head: PushHead, changes: RefChange[]): PushHead {
  const capabilities = [...head.capabilities].join(' ')
  const commands = changes.map(({ before, after, ref }, index) =>
    pktLine(`${before} ${after} ${ref}${index === 0 ? `\0 ${capabilities}` : ''}`),
  )
  const shallow = head.shallow.map((line) => pktLine(line))
  return { ...head, changes, raw: Buffer.concat([...shallow, ...commands, FLUSH, head.rawOptions]) }
}

function isShallow(line: string): boolean {
  return line.startsWith('shallow ')
}

/** Lines up to the flush packet, without line ends. */
async function readList(reader: ByteReader, raw: Buffer[]): Promise<Buffer[]> {
  const lines: Buffer[] = []
  for (let bytes = 0; bytes <= MAX_HEAD_BYTES;) {
    const line: PktLine | undefined = await readPktLine(reader)
    if (line === undefined) throw new InvalidPushError('the list of refs is incomplete')
    if (line === 'flush') {
      raw.push(Buffer.from('0000'))
      return lines
    }
    raw.push(line.raw)
    bytes += line.raw.length
    lines.push(line.content.at(-1) === LINE_END ? line.content.subarray(0, -1) : line.content)
  }
  throw new InvalidPushError('the list of refs is too long')
}

const LINE_END = 0x0a
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Throws for invalid UTF-8, because a replaced character would make the rules check another ref. */
function readLine(line: Buffer): string {
  try {
    return UTF8.decode(line)
  } catch (error) {
    throw new InvalidPushError('the name of a ref is not valid UTF-8', { cause: error })
  }
}

/** Capabilities follow a NUL byte in the first command. */
function capabilitiesOf(line: string): string[] {
  return (line.split('\0')[1] ?? '').split(' ').filter((capability) => capability !== '')
}

function parseCommand(line: string): RefChange {
  const [command = ''] = line.split('\0')
  const [before = '', after = '', ...name] = command.split(' ')
  const ref = name.join(' ')
  if (!isObjectId(before) || !isObjectId(after))
    throw new InvalidPushError(`"${command.slice(0, 60)}" is not a valid command`)
  if (!isRefName(ref)) throw new InvalidPushError(`"${ref}" is not a valid ref name`)
  return { ref, before, after }
}
