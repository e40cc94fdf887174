import { constants, existsSync } from 'node:fs'
import { type FileHandle, open, rm, truncate } from 'node:fs/promises'
import { IncomingMessage } from 'node:http'
import { dirname, join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'

import {
  isExistingFile,
  isMissingFile,
  namesIn,
  readIfThere,
  replaceFile,
  sizeIfThere,
} from '../../../lib/files.js'
import { growingCache } from '../../../lib/growing-cache.js'
import type { MaskedAppend, PositionedBytes, SameLengthMasker } from '../../../masking/same-length-masker.js'
import type { ByteRange } from './blob-store.js'
import { KeyLock } from './key-lock.js'
import { type OpenTrace, OpenTraces } from './open-traces.js'
import { setAside } from './set-aside.js'
import type { StoredLogs } from './stored-logs.js'
import { findArrivals, recordArrival } from './trace-index/arrival-times.js'
import { TraceFile } from './trace-index/trace-file.js'
import { TraceTail } from './trace-tail.js'

/** Precision of arrival times, in milliseconds: to record one costs as much as a short patch. */
const TIME_PRECISION = 200
/** Each takes about a hundred bytes. Pages show those of all jobs of a pipeline. */
const MAX_BEGINS = 20_000

/** The job of a trace; a job row fits. */
export interface TraceOwner {
  id: number
  project_id: number
}

export type AppendResult =
  | { kind: 'appended'; size: number }
  /** `offset` was not the size. Nothing was written and `body` was not read. */
  | { kind: 'conflict'; size: number }
  /** The trace would exceed the limit. It is unchanged. */
  | { kind: 'too-large'; size: number }

/** Files of a trace. All but the trace itself are optional. */
export interface TraceFiles {
  log: string
  /** Where withheld bytes start. */
  held: string
  /** The positions of lines and sections (`TraceIndexes`). */
  index: string
  /** When the bytes arrived (`recordArrival`). */
  times: string
  /** How the lines of the scripts ended, as JSON. */
  steps: string
}

export interface TraceEvents {
  /** The arrival of bytes could not be recorded, so their lines will have no time of their own. */
  onTimeLost?: (job: TraceOwner, error: unknown) => void
  /** A file could not be closed, so bytes of the log may be lost. */
  onCloseFailed?: (jobId: number, error: unknown) => void
}

/**
 * Traces of jobs, one file each, at `<root>/<project id>/<job id>.log`. Those of jobs that ended may be moved into the
 * blob store (`StoredLogs`). The size of the file is the only
 * record of how much has arrived. A coordinator that was killed in the middle of a patch reports the true
 * offset to the runner afterwards (runner protocol, 4.2).
 *
 * Secrets are masked by text of the same length, so that offsets match those of the runner. The last bytes of
 * a trace may be the start of a secret and are then withheld from readers. `<job id>.held` contains the
 * offset where these bytes start. It is written before such bytes, and deleted after later text resolves
 * them, so a killed coordinator never exposes a part of a secret. The start and the rest of a completed
 * secret are masked in one write.
 */
export class Traces {
  private readonly lock = new KeyLock<number>()
  private readonly indexLock = new KeyLock<number>()
  private readonly opened: OpenTraces
  /** Sizes before the patches that are being written; a patch that fails is undone. */
  private readonly sizesBefore = new Map<number, number>()

  /** When the first bytes arrived, in milliseconds since 1970, by job. */
  private readonly begins = growingCache<number, number>(MAX_BEGINS)
  /** When an arrival was last recorded, in milliseconds since 1970, of the traces that grew last. */
  private readonly timesRecorded = growingCache<number, number>(10_000)

  constructor(
    private readonly root: string,
    private readonly maxBytes: number,
    private readonly events: TraceEvents = {},
    /** Logs of finished jobs in the blob store; undefined = all logs are files. */
    private readonly stored?: StoredLogs,
    /**
     * Whether other machines mount the files. An NFS client caches what is written to an open file. Other coordinators
     * must see the bytes of a patch before the runner reads its response.
     */
    private readonly isShared = false,
  ) {
    this.opened = new OpenTraces(events.onCloseFailed)
  }

  /**
   * Appends `body` at `offset`, which must be the current size, and masks the secrets that `masker` knows. If
   * `body` fails half way, nothing of it is stored.
   */
  append(job: TraceOwner, offset: number, body: Readable, masker: SameLengthMasker): Promise<AppendResult> {
    return this.lock.run(job.id, async () => {
      const known = (await this.takeOpen(job)) ?? (offset === 0 ? await this.create(job) : undefined)
      const size = known?.size ?? (await this.growingSize(job))
      // A late patch for a log that is in the blob store must not begin another one.
      const stored = size === 0 && offset > 0 ? await this.stored?.find(job) : undefined
      if (stored) return { kind: 'conflict', size: stored.size }
      if (size === offset) {
        const trace = known?.trace ?? { file: await this.openFile(job) }
        return this.write(job, trace, size, body, masker)
      }
      if (known) await this.opened.put(job, known.trace)
      return { kind: 'conflict', size }
    })
  }

  /**
   * Bytes that readers may see while the trace grows: all but a possible start of a secret, and a patch that is being
   * written. These bytes no longer change.
   */
  async readableSize(job: TraceOwner): Promise<number> {
    // The order matters: the offset of withheld bytes is stored before the bytes are.
    const size = this.sizesBefore.get(job.id) ?? (await this.growingSize(job))
    return Math.min(size, (await this.heldFrom(job)) ?? size)
  }

  /** Bytes; 0 if there is no trace. */
  async size(job: TraceOwner): Promise<number> {
    return (await this.growingSize(job)) || ((await this.stored?.find(job))?.size ?? 0)
  }

  /** As `size`. An NFS client shows the size that another machine has written when the file is opened. */
  async openedSize(job: TraceOwner): Promise<number> {
    await using file = await openIfThere(this.files(job).log)
    return file ? (await file.stat()).size : await this.size(job)
  }

  /** Bytes of the trace of a job that has not ended, or not long ago; 0 if it has none. Does not use the database. */
  async growingSize(job: TraceOwner): Promise<number> {
    const opened = this.opened.peek(job.id)
    return opened?.file.size ?? (await sizeIfThere(this.files(job).log)) ?? 0
  }

  /** CRC-32 of the bytes. If this process wrote all of them, they are not read again: the end of the job waits for it. */
  async checksum(job: TraceOwner): Promise<number> {
    const opened = this.opened.peek(job.id)
    if (opened?.left?.checksum !== undefined && opened.left.size === opened.file.size)
      return opened.left.checksum
    let sum = 0
    for await (const chunk of await this.read(job)) sum = crc32(chunk as Buffer, sum)
    return sum
  }

  /** The bytes, or the part `range` of them; an empty stream if there is no trace. */
  async read(job: TraceOwner, range?: ByteRange): Promise<Readable> {
    try {
      const file = await open(this.files(job).log)
      return file.createReadStream(range)
    } catch (error) {
      if (!isMissingFile(error)) throw error
      return (await this.stored?.read(job, range)) ?? Readable.from([])
    }
  }

  /**
   * Opens a trace and names the files beside it; a copy of them if the trace is in the blob store. Undefined if there is
   * no trace. `isGrowing` is false for such a copy.
   */
  async open(
    job: TraceOwner,
  ): Promise<{ file: FileHandle; files: TraceFiles; isGrowing: boolean } | undefined> {
    for (;;) {
      const own = this.files(job)
      const file = await openIfThere(own.log)
      if (file) return { file, files: own, isGrowing: true }
      const stored = await this.stored?.find(job)
      if (!stored) return undefined
      const log = await this.stored!.copyOf(stored)
      const files = filesAt(log.replace(/\.log$/, ''))
      const copy = await openIfThere(log)
      // It was evicted, or deleted together with the trace.
      if (copy) return { file: copy, files, isGrowing: false }
    }
  }

  /** When the trace began, in milliseconds since 1970; undefined if it has not, or if the time is not known any more. */
  async beginOf(job: TraceOwner): Promise<number | undefined> {
    const known = this.begins.get(job.id)
    if (known !== undefined) return known
    const [begin] = await findArrivals(this.files(job).times, [0])
    if (begin !== undefined) this.begins.set(job.id, begin)
    return begin
  }

  files({ id, project_id }: TraceOwner): TraceFiles {
    return filesAt(join(this.root, String(project_id), String(id)))
  }

  /**
   * Moves away a log that another job left under the number of a job that starts now. A log on this machine is gone
   * when this returns; to look for it takes microseconds.
   */
  setAside(job: TraceOwner): Promise<string | undefined> {
    const files = Object.values<string>({ ...this.files(job) })
    this.begins.delete(job.id)
    if (!this.isShared && !files.some((file) => existsSync(file))) return Promise.resolve(undefined)
    const folder = dirname(this.root)
    return setAside(
      folder,
      files.map((file) => relative(folder, file)),
    )
  }

  /** Stores the index beside the trace or its copy. False if that was deleted. */
  async storeIndex(job: TraceOwner, files: TraceFiles, index: Uint8Array): Promise<boolean> {
    return this.indexLock.run(job.id, async () => {
      if (!(await sizeIfThere(files.log))) return false
      return replaceFile(files.index, index)
    })
  }

  /**
   * Stores how the lines of the scripts of a job ended, beside its trace. Nothing is stored for a job without a trace as a
   * file.
   */
  async storeSteps(job: TraceOwner, steps: string): Promise<void> {
    await this.lock.run(job.id, async () => {
      const { log, steps: file } = this.files(job)
      if ((await sizeIfThere(log)) !== undefined) await replaceFile(file, steps)
    })
  }

  /** What was stored with `storeSteps`; undefined if nothing was, or the trace was deleted. */
  async readSteps(job: TraceOwner): Promise<string | undefined> {
    return (await readIfThere(this.files(job).steps)) ?? (await this.stored?.find(job))?.steps ?? undefined
  }

  /** The jobs that have a trace as a file here, or other files that a kill left. */
  async *listFiles(): AsyncGenerator<TraceOwner> {
    for (const project of await namesIn(this.root)) {
      if (!/^\d+$/.test(project)) continue
      const ids = new Set<number>()
      for (const name of await namesIn(join(this.root, project))) {
        const id = /^(\d+)\./.exec(name)?.[1]
        if (id !== undefined) ids.add(Number(id))
      }
      for (const id of ids) yield { id, project_id: Number(project) }
    }
  }

  /** Moves the trace of a job that has ended into the blob store. False if it has none, or somebody else moves it. */
  async moveToStore(job: TraceOwner): Promise<boolean> {
    const { stored } = this
    if (!stored) return false
    return this.lock.run(job.id, async () => {
      await this.opened.closeJob(job.id)
      const files = this.files(job)
      const isStored = await stored.add(job, files)
      await this.indexLock.run(job.id, async () => {
        if (isStored) {
          // The log is deleted last: after a kill, the move is completed.
          for (const file of [files.times, files.steps, files.held, files.index, files.log])
            await rm(file, { force: true })
        } else if ((await sizeIfThere(files.log)) === undefined) await this.deleteLeftovers(job)
      })
      return isStored
    })
  }

  /** Deletes files beside a log that is gone: another coordinator may have stored an index while it was moved. */
  private async deleteLeftovers({ id, project_id }: TraceOwner): Promise<void> {
    const folder = join(this.root, String(project_id))
    for (const name of await namesIn(folder)) {
      if (name.startsWith(`${id}.`)) await rm(join(folder, name), { force: true })
    }
  }

  async delete(job: TraceOwner): Promise<void> {
    const { log, held, times, steps, index } = this.files(job)
    this.begins.delete(job.id)
    await this.lock.run(job.id, async () => {
      await this.opened.closeJob(job.id)
      // The log is removed last, and until then has no bytes that would have to be withheld: a new log has no other files.
      await emptyFile(log)
      for (const file of [held, times, steps, log]) await rm(file, { force: true })
    })
    // After the trace, so that no index is stored afterwards.
    await this.indexLock.run(job.id, () => rm(index, { force: true }))
    // After the files: who moves them to the store looks afterwards whether the row is still there.
    await this.stored?.delete(job)
  }

  async deleteProject(projectId: number): Promise<void> {
    await this.opened.closeProject(projectId)
    await rm(join(this.root, String(projectId)), { recursive: true, force: true })
    await this.stored?.deleteProject(projectId)
  }

  /** Closes the files that are kept open. */
  close(): Promise<void> {
    return this.opened.closeAll()
  }

  /** The trace and its size, if the patch before has left it open and nobody has deleted it since. */
  private async takeOpen(job: TraceOwner): Promise<{ trace: OpenTrace; size: number } | undefined> {
    const trace = this.opened.take(job.id)
    if (!trace) return undefined
    const { size } = trace.file
    if (size !== undefined) return { trace, size }
    await trace.file.close()
    return undefined
  }

  /** A new, empty trace; undefined if there is one already. A new one has no bytes that are withheld. */
  private async create(job: TraceOwner): Promise<{ trace: OpenTrace; size: number } | undefined> {
    try {
      const file = await this.openFile(job, constants.O_EXCL)
      return {
        trace: { file, left: { size: 0, held: undefined, tail: Buffer.alloc(0), checksum: 0 } },
        size: 0,
      }
    } catch (error) {
      if (isExistingFile(error)) return undefined
      throw error
    }
  }

  private openFile(job: TraceOwner, flags = 0): Promise<TraceFile> {
    return TraceFile.openInFolder(this.files(job).log, { flags, isShared: this.isShared })
  }

  private async write(
    job: TraceOwner,
    trace: OpenTrace,
    size: number,
    body: Readable,
    masker: SameLengthMasker,
  ): Promise<AppendResult> {
    const { file } = trace
    const left = trace.left?.size === size ? trace.left : undefined
    const held = left ? left.held : await this.heldFrom(job)
    const longest = Math.max(0, masker.longest - 1)
    const end = await endOf(file, size, longest, left?.tail)
    const tail = new TraceTail(end, size, longest)
    const cursor: WritePosition = { file, tail, end: size, checksum: left?.checksum }
    const undo = async () => {
      trace.left = undefined
      // The runner has sent the same bytes, and more, to another coordinator since.
      if ((file.size ?? 0) > cursor.end) return
      await file.truncate(size)
      await file.write(end, size - end.length)
      if (held !== undefined) await this.hold(job, held)
    }
    this.sizesBefore.set(job.id, size)
    try {
      const text = masker.append(end, size)
      const written = await copyInto(cursor, body, this.maxBytes - size, text)
      if (written === undefined) {
        await undo()
        return { kind: 'too-large', size }
      }
      const after = { size: size + written, wasHeld: held !== undefined }
      const isHeld = await this.finish(job, cursor, text, after)
      await file.publish()
      const pendingFrom = isHeld ? text.pendingFrom : undefined
      trace.left = { size: after.size, held: pendingFrom, tail: tail.last(), checksum: cursor.checksum }
      await this.recordTime(job, size)
      return { kind: 'appended', size: size + written }
    } catch (error) {
      await undo()
      throw error
    } finally {
      this.sizesBefore.delete(job.id)
      await this.opened.put(job, trace)
    }
  }

  /** The patch is stored, so a failure does not fail it. Patches that follow each other quickly count as one. */
  private async recordTime(job: TraceOwner, byte: number): Promise<void> {
    const time = Date.now()
    if (byte > 0 && Math.abs(time - (this.timesRecorded.get(job.id) ?? 0)) < TIME_PRECISION) return
    this.timesRecorded.set(job.id, time)
    if (byte === 0) this.begins.set(job.id, time)
    try {
      await recordArrival(this.files(job).times, { byte, time }, this.isShared)
    } catch (error) {
      this.events.onTimeLost?.(job, error)
    }
  }

  /** Returns whether bytes are withheld. */
  private async finish(
    job: TraceOwner,
    cursor: WritePosition,
    text: MaskedAppend,
    { size, wasHeld }: { size: number; wasHeld: boolean },
  ): Promise<boolean> {
    const isHeld = text.pendingFrom < size
    if (isHeld) await this.hold(job, text.pendingFrom)
    await write(cursor, text.finish())
    if (wasHeld && !isHeld) await rm(this.files(job).held, { force: true })
    return isHeld
  }

  private async hold(job: TraceOwner, from: number): Promise<void> {
    await replaceFile(this.files(job).held, String(from))
  }

  private async heldFrom(job: TraceOwner): Promise<number | undefined> {
    const text = await readIfThere(this.files(job).held)
    return text === undefined ? undefined : Number(text)
  }
}

function filesAt(path: string): TraceFiles {
  return {
    log: `${path}.log`,
    held: `${path}.held`,
    index: `${path}.index`,
    times: `${path}.times`,
    steps: `${path}.steps`,
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path)
  } catch (error) {
    if (isMissingFile(error)) return undefined
    throw error
  }
}

async function emptyFile(path: string): Promise<void> {
  try {
    await truncate(path)
  } catch (error) {
    if (!isMissingFile(error)) throw error
  }
}

/** Returns the last bytes, at most `wanted`; `known` are as many as are known. */
async function endOf(
  file: TraceFile,
  size: number,
  wanted: number,
  known: Buffer | undefined,
): Promise<Buffer> {
  const length = Math.min(size, wanted)
  if (length === 0) return Buffer.alloc(0)
  if (known && known.length >= length) return known.subarray(known.length - length)
  const end = await file.read(size - length, length)
  if (end.length !== length) throw new Error(`The trace file ends before byte ${size}`)
  return end
}

/**
 * Returns the number of bytes of `body`, or undefined if there were more than `room`. Bytes that `text`
 * withholds are not written yet.
 */
async function copyInto(
  cursor: WritePosition,
  body: Readable,
  room: number,
  text: MaskedAppend,
): Promise<number | undefined> {
  let taken = 0
  for await (const piece of piecesOf(body)) {
    const chunk = typeof piece === 'string' ? Buffer.from(piece) : piece
    if (taken + chunk.length > room) return undefined
    await write(cursor, text.push(chunk))
    taken += chunk.length
  }
  return taken
}

function piecesOf(body: Readable): Iterable<Buffer> | AsyncIterable<Buffer | string> {
  // Iterating over a stream takes longer than writing a short patch, which has usually arrived already.
  if (body instanceof IncomingMessage && body.complete) {
    const whole = body.read() as Buffer | null // no encoding is set
    return whole ? [whole] : []
  }
  // The stream is a request: destroying it would close the connection that the refusal is served on.
  return body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer | string>
}

interface WritePosition {
  file: TraceFile
  tail: TraceTail
  /** The end of the bytes that were written here. */
  end: number
  /** CRC-32 of all bytes before `end`; undefined if earlier ones are not known or were written over. */
  checksum: number | undefined
}

async function write(cursor: WritePosition, placed: PositionedBytes | undefined): Promise<void> {
  if (!placed) return
  await cursor.file.write(placed.bytes, placed.position)
  cursor.tail.place(placed)
  const isNext = cursor.checksum !== undefined && placed.position === cursor.end
  cursor.checksum = isNext ? crc32(placed.bytes, cursor.checksum) : undefined
  cursor.end = Math.max(cursor.end, placed.position + placed.bytes.length)
}
