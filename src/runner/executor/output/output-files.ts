import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readdir, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { messageOf } from '../../../lib/errors.js'
import { isMissingFile } from '../../../lib/files.js'
import { removeTree } from '../../workspace/remove-tree.js'
import { setAside } from '../../workspace/set-aside.js'
import { ExecutorError } from '../executor.js'
import type { OutputRecord } from '../output-record.js'
import { BLOCK_BYTES, OUTPUT_SCRIPT, outputScript } from './output-script.js'
import { SEGMENTS } from './plan-output-files.js'

/** Bytes of one read. */
const READ_BYTES = 256 * 1024

/**
 * Empties the folder for the next stage. No process of the container may run. Files that the job left are moved out of
 * the folder, because deleting them could take long.
 */
export async function prepareOutput(record: OutputRecord, signal?: AbortSignal): Promise<void> {
  const { directory } = record
  try {
    for (const entry of await readdir(directory, { withFileTypes: true })) {
      signal?.throwIfAborted()
      const path = join(directory, entry.name)
      await (entry.isDirectory() ? setAside(path, dirname(directory)) : removeTree(path))
    }
    await writeFile(join(directory, OUTPUT_SCRIPT), outputScript(record), { mode: 0o644, flag: 'wx' })
  } catch (error) {
    signal?.throwIfAborted()
    throw outputFailure(error, 'prepared')
  }
}

/** Without the error as its cause, whose code would read as that of an engine that does not respond. */
export function outputFailure(error: unknown, doing: 'prepared' | 'read'): ExecutorError {
  if (error instanceof ExecutorError) return error
  const message = `The files for the output of the job cannot be ${doing}: ${messageOf(error)}`
  return new ExecutorError(message, 'runner_system_failure')
}

/** A position in one of the files. */
export interface FilePosition {
  index: number
  position: number
}

/**
 * The files of the output of a stage, in a folder that the container mounts (see `outputScript`). A job can put
 * anything into the folder, so only regular files are opened, and no link is followed. A file that is longer than the
 * writer makes it, such as a sparse file, ends the job.
 */
export class OutputFiles {
  private file: FileHandle | undefined
  private index: number
  private position: number
  /** Bytes that may still be read. Endless while the writer may fill another segment. */
  private left = Infinity
  private readonly buffer = Buffer.allocUnsafeSlow(READ_BYTES)

  /** Reads from `start` on. `beforeRemove`: called before a segment that was read is removed. */
  constructor(
    private readonly record: OutputRecord,
    start: FilePosition = { index: 0, position: 0 },
    private readonly beforeRemove: () => Promise<void> = async () => {},
  ) {
    this.index = start.index
    this.position = start.position
  }

  /** Where the next bytes are. */
  get nextPosition(): FilePosition {
    return { index: this.index, position: this.position }
  }

  /** The next bytes. Empty if there are none yet. Removes each segment that was read to its end. */
  async read(): Promise<Buffer> {
    for (;;) {
      this.file ??= await this.openFile(this.index)
      if (!this.file) {
        // An earlier reader has removed the segment at which this one begins.
        const later = this.index > 0 ? await this.nextIndex() : undefined
        if (later === undefined) return Buffer.alloc(0)
        this.index = later
        this.position = 0
        continue
      }
      const bytes = await this.readFile(this.file)
      if (bytes.length > 0 || this.position < this.fullSize) return bytes
      const next = await this.nextIndex()
      if (next === undefined) return bytes
      // The writer opens a file after it has filled the one before.
      const rest = await this.readFile(this.file)
      if (rest.length > 0) return rest
      await this.leaveFile(next)
    }
  }

  /** Call this after the writer has ended: the files then hold at most what it left. */
  limit(): void {
    const { headBytes, segmentBytes } = this.record
    this.left = headBytes + (SEGMENTS + 1) * (segmentBytes + BLOCK_BYTES)
  }

  async close(): Promise<void> {
    await this.file?.close()
    this.file = undefined
  }

  private get fullSize(): number {
    return this.index === 0 ? this.record.headBytes : this.record.segmentBytes
  }

  private async readFile(file: FileHandle): Promise<Buffer> {
    const { bytesRead } = await file.read(this.buffer, 0, READ_BYTES, this.position)
    this.position += bytesRead
    this.left -= bytesRead
    if (this.position >= this.fullSize + BLOCK_BYTES || this.left < 0) throw changedByJob()
    return Buffer.from(this.buffer.subarray(0, bytesRead))
  }

  /** Undefined if it does not exist. */
  private async openFile(index: number): Promise<FileHandle | undefined> {
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
    let file: FileHandle
    try {
      // Opening a device may trigger it.
      if (!(await lstat(this.pathOf(index))).isFile()) throw changedByJob()
      file = await open(this.pathOf(index), flags)
    } catch (error) {
      if (isMissingFile(error)) return undefined
      throw isReplaced(error) ? changedByJob() : error
    }
    if ((await file.stat()).isFile()) return file
    await file.close()
    throw changedByJob()
  }

  /** The next segment that exists. An earlier runner removed those it read, and the writer may drop some. */
  private async nextIndex(): Promise<number | undefined> {
    const indexes = (await readdir(this.record.directory)).filter((name) => /^\d+$/.test(name)).map(Number)
    const later = indexes.filter((index) => index > this.index)
    return later.length === 0 ? undefined : Math.min(...later)
  }

  private async leaveFile(next: number): Promise<void> {
    await this.beforeRemove()
    await this.close()
    if (this.index > 0) await removeIfThere(this.pathOf(this.index))
    this.index = next
    this.position = 0
  }

  private pathOf(index: number): string {
    return join(this.record.directory, String(index))
  }
}

async function removeIfThere(path: string): Promise<void> {
  try {
    await unlink(path)
  } catch (error) {
    if (!isMissingFile(error)) throw error
  }
}

/** Whether a file could not be opened because it is a link or a socket now, or because the job closed it to others. */
function isReplaced(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && ['ELOOP', 'ENXIO', 'EACCES'].includes(String(error.code))
  )
}

function changedByJob(): ExecutorError {
  return new ExecutorError('The job replaced the file of its own output', 'script_failure')
}
