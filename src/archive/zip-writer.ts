import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'

import { mapInOrder } from '../lib/map-in-order.js'
import {
  type ArchiveInput,
  type ArchiveInputs,
  closeInput,
  INPUTS_AT_ONCE,
  type OpenInput,
} from './archive-input.js'
import { coalesce } from './coalesce.js'
import { deflateIfSmaller, deflateInPieces } from './deflate.js'
import { nameProblem } from './entry-name.js'
import { limitedCores, type OnCore } from './limited-cores.js'
import { TreeReader } from './tree-inputs.js'
import {
  dataDescriptor,
  directoryHeader,
  endRecords,
  FILE_TYPES,
  localHeader,
  type ZipRecord,
} from './zip-records.js'

export interface ZipOptions {
  /** Deflate's own levels 1 to 9; 0 stores. */
  level: number
  /** That compress at most; all when undefined. */
  cores?: number | undefined
  /** Told of each name that is left out and why: sockets, pipes, devices, names that no reader would take. */
  onSkipped?: (name: string, reason: string) => void
}

/** A streamed file from this size on gets sizes of eight bytes; below it, packing cannot make it outgrow four. */
const LARGE_BYTES = 0xf0000000
/** Pieces of the table of contents are put together to save memory: a million small buffers are large. */
const DIRECTORY_CHUNK_BYTES = 256 * 1024

/**
 * A zip of `names` below `root` (`/` as separator, directories end in `/`), in that order: links as links, with unix
 * modes, owners and times. Nothing is read from outside of `root`; an error, such as a file that is gone, destroys the
 * stream.
 */
export function zipFiles(root: string, names: Iterable<string>, options: ZipOptions): Readable {
  return zipInputs(new TreeReader(root).inputs(names), options)
}

/**
 * A zip of the inputs, in their order. The same inputs give the same bytes. All cores compress unless they are limited, several files or several
 * pieces of a large file at a time; what is held in memory is bounded whatever the sizes.
 *
 * Written here because no zip library for Node.js compresses more than one file at a time (zip-records.ts has the format).
 */
export function zipInputs(inputs: ArchiveInputs, options: ZipOptions): Readable {
  return Readable.from(coalesce(new ZipWriter(options).write(inputs)), { objectMode: false })
}

/** An input whose bytes are ready, or one whose bytes have to be streamed. */
type Prepared =
  | { kind: 'skipped'; name: string; reason: string }
  | { kind: 'ready'; record: ZipRecord; packed: Buffer }
  | { kind: 'stream'; record: ZipRecord; input: ArchiveInput & { kind: 'stream' } }

class ZipWriter {
  private offset = 0
  private entries = 0
  private readonly directory: Buffer[] = []
  private lines: Buffer[] = []
  private linesBytes = 0

  private readonly onCore: OnCore

  constructor(private readonly options: ZipOptions) {
    this.onCore = limitedCores(options.cores)
  }

  async *write(inputs: ArchiveInputs): AsyncGenerator<Buffer> {
    const prepare = (open: OpenInput) => prepareInput(open, this.options.level, this.onCore)
    for await (const prepared of mapInOrder(inputs, INPUTS_AT_ONCE, prepare, discard)) {
      if (prepared.kind === 'skipped') this.options.onSkipped?.(prepared.name, prepared.reason)
      else yield* this.entry(prepared)
    }
    yield* this.end()
  }

  private async *entry(prepared: Exclude<Prepared, { kind: 'skipped' }>): AsyncGenerator<Buffer> {
    const { record } = prepared
    record.offset = this.offset
    yield this.counted(localHeader(record))
    if (prepared.kind === 'ready') yield this.counted(prepared.packed)
    else yield* this.stream(record, prepared.input)
    this.note(directoryHeader(record))
  }

  private async *stream(record: ZipRecord, input: ArchiveInput & { kind: 'stream' }): AsyncGenerator<Buffer> {
    try {
      const pieces = deflateInPieces(input.content, this.options.level, this.onCore)
      for await (const { content, deflated } of pieces) {
        record.crc = crc32(content, record.crc)
        record.size += content.length
        record.packedSize += deflated.length
        yield this.counted(deflated)
      }
    } finally {
      await input.close()
    }
    yield this.counted(dataDescriptor(record))
  }

  private *end(): Generator<Buffer> {
    const { offset, entries } = this
    this.directory.push(...this.lines)
    for (const chunk of this.directory) yield this.counted(chunk)
    yield endRecords({ entries, offset, size: this.offset - offset })
  }

  private note(line: Buffer): void {
    this.entries++
    this.lines.push(line)
    this.linesBytes += line.length
    if (this.linesBytes < DIRECTORY_CHUNK_BYTES) return
    this.directory.push(Buffer.concat(this.lines))
    this.lines = []
    this.linesBytes = 0
  }

  private counted(bytes: Buffer): Buffer {
    this.offset += bytes.length
    return bytes
  }
}

async function prepareInput(open: OpenInput, level: number, onCore: OnCore): Promise<Prepared> {
  const input = await open()
  const problem = nameProblem(input.name)
  if (problem !== undefined) {
    await closeInput(input)
    return { kind: 'skipped', name: input.name, reason: `it has ${problem}` }
  }
  switch (input.kind) {
    case 'special':
      return { kind: 'skipped', name: input.name, reason: 'it is neither a file nor a directory nor a link' }
    case 'directory':
      return ready(input, `${input.name}/`, Buffer.alloc(0))
    case 'link':
      return ready(input, input.name, Buffer.from(input.target))
    case 'file':
      return ready(
        input,
        input.name,
        input.content,
        await onCore(() => deflateIfSmaller(input.content, level)),
      )
    case 'stream':
      return { kind: 'stream', input, record: streamedRecord(input) }
  }
}

function ready(
  input: ArchiveInput & { kind: 'directory' | 'link' | 'file' },
  name: string,
  content: Buffer,
  deflated?: Buffer,
): Prepared {
  const packed = deflated ?? content
  const record: ZipRecord = {
    ...commonOf(input, FILE_TYPES[input.kind]),
    name,
    method: deflated ? 'deflated' : 'stored',
    crc: crc32(content),
    size: content.length,
    packedSize: packed.length,
    isStreamed: false,
    isLarge: false,
  }
  return { kind: 'ready', record, packed }
}

/** Always deflated, be it in stored blocks: a reader that reads from front to back finds the end of nothing else. */
function streamedRecord(input: ArchiveInput & { kind: 'stream' }): ZipRecord {
  return {
    ...commonOf(input, FILE_TYPES.file),
    name: input.name,
    method: 'deflated',
    crc: 0,
    size: 0,
    packedSize: 0,
    isStreamed: true,
    isLarge: input.size >= LARGE_BYTES,
  }
}

function commonOf({ mode, modified, uid, gid }: ArchiveInput, fileType: number) {
  return { modified, uid, gid, unixMode: fileType | mode, offset: 0 }
}

async function discard(prepared: Prepared): Promise<void> {
  if (prepared.kind === 'stream') await prepared.input.close()
}
