import type { ByteReader } from '../../../../git/byte-reader.js'
import { isObjectId, isRefName } from '../../../../git/names.js'
import { type PktLine, readPktLine } from '../../../../git/pkt-line.js'
import type { RefChange } from '../../../database/tables/repositories.js'
import { InvalidPushError } from '../errors.js'

/** What a push says before its pack: which refs shall move, and how the client wants to hear of it. */
export interface PushHead {
  changes: RefChange[]
  capabilities: Set<string>
  /** `git push -o` values. */
  options: string[]
  /** The bytes that were read, for git to read them again. */
  raw: Buffer
}

/** Some 100,000 refs; a head beyond this is not held. */
const MAX_HEAD_BYTES = 16 * 1024 * 1024

/**
 * Reads the head of a `git-receive-pack` request and leaves the pack unread. An empty list of changes is what a client
 * sends to find out whether its credentials will do. Throws `InvalidPushError` or `PktLineError`.
 */
export async function readPushHead(reader: ByteReader): Promise<PushHead> {
  const raw: Buffer[] = []
  const commands = (await readList(reader, raw)).map(textOf)
  const capabilities = new Set(commands.flatMap(capabilitiesOf))
  const changes = commands.filter((line) => !line.startsWith('shallow ')).map(parseCommand)
  const hasOptions = changes.length > 0 && capabilities.has('push-options')
  const options = hasOptions ? (await readList(reader, raw)).map((line) => line.toString('utf8')) : []
  return { changes, capabilities, options, raw: Buffer.concat(raw) }
}

/** Lines up to the flush mark, without their line ends. */
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

/** A name that is decoded to anything but itself is judged as the ref that it is not. */
function textOf(line: Buffer): string {
  try {
    return UTF8.decode(line)
  } catch (error) {
    throw new InvalidPushError('the name of a ref is not valid UTF-8', { cause: error })
  }
}

/** They follow a zero byte in the first command. */
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
