import * as fs from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

import { isMissingFile } from '../../../../lib/files.js'

const openInBackground = promisify(fs.open)
const closeInBackground = promisify(fs.close)
const read = promisify(fs.read)
const write = promisify(fs.write)
const truncate = promisify(fs.ftruncate)

/**
 * The system takes so few bytes at once, into its memory; more bytes might make the event loop wait for the disk.
 */
const MAX_SYNC_BYTES = 64 * 1024

/** Only the owner can read and write it. */
const MODE = 0o600

/**
 * A file that parts of a log are written to. Most calls take the system microseconds, and to hand them to another thread
 * takes ten times as long, so the event loop waits for them. Other machines, however, may restrict operations on a
 * shared file: it is opened and closed in the background.
 */
export class TraceFile implements AsyncDisposable {
  private constructor(
    private readonly descriptor: number,
    private readonly isShared: boolean,
  ) {}

  /** Opens the file for reading and writing, and creates it if needed. Throws errors of the file system. */
  static async open(
    path: string,
    { flags = 0, isShared }: { flags?: number; isShared: boolean },
  ): Promise<TraceFile> {
    // Not O_APPEND, with which the system ignores positions.
    const all = fs.constants.O_RDWR | fs.constants.O_CREAT | flags
    const descriptor = isShared ? await openInBackground(path, all, MODE) : fs.openSync(path, all, MODE)
    return new TraceFile(descriptor, isShared)
  }

  /** As `open`; creates the folder if needed. This is rare, so the folder is not checked first. */
  static async openInFolder(
    path: string,
    options: { flags?: number; isShared: boolean },
  ): Promise<TraceFile> {
    try {
      return await TraceFile.open(path, options)
    } catch (error) {
      if (!isMissingFile(error)) throw error
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      return TraceFile.open(path, options)
    }
  }

  /** Bytes; undefined if the file was deleted. */
  get size(): number | undefined {
    const { nlink, size } = fs.fstatSync(this.descriptor)
    return nlink > 0 ? size : undefined
  }

  /** Returns fewer than `length` bytes at the end of the file. */
  async read(position: number, length: number): Promise<Buffer> {
    const { buffer, bytesRead } = await read(this.descriptor, Buffer.alloc(length), 0, length, position)
    return buffer.subarray(0, bytesRead)
  }

  async write(bytes: Uint8Array, position: number): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      const left = bytes.length - done
      done +=
        left <= MAX_SYNC_BYTES
          ? fs.writeSync(this.descriptor, bytes, done, left, position + done)
          : (await write(this.descriptor, bytes, done, left, position + done)).bytesWritten
    }
  }

  async truncate(size: number): Promise<void> {
    await truncate(this.descriptor, size)
  }

  /** An NFS client caches what is written. Afterwards other machines see it. */
  async publish(): Promise<void> {
    if (this.isShared) await promisify(fs.fdatasync)(this.descriptor)
  }

  async close(): Promise<void> {
    if (this.isShared) await closeInBackground(this.descriptor)
    else fs.closeSync(this.descriptor)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }
}
