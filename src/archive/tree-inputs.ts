import { constants, readlinkSync, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises'
import { join } from 'node:path'

import { type ArchiveInput, type InputTraits, type OpenInput, SMALL_FILE_BYTES } from './archive-input.js'
import { descriptorPath, ENTER, HAS_DESCRIPTOR_PATHS } from './directory-chain.js'
import { NotAFileError, TooManyBytesError } from './errors.js'
import { DEFAULT_LIMITS } from './extract-limits.js'

/** Does not wait for the other end of a pipe that replaced the file, and does not follow links. */
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
const READ_BYTES = 1024 * 1024

export interface OpenFile {
  /** In bytes. */
  size: number
  content: AsyncIterable<Buffer>
  /** Must be called if `content` is not read to its end. May be called twice. */
  close(): Promise<void>
}

/**
 * Reads below `root`, even if the tree contains links, and whatever a job does to it at the same time. Every component on
 * the path must be a directory, and an open file must be where it was found. Only files that `lstat` reports as regular
 * are opened, because opening a device may trigger it. A file is read up to the size that it had when it was opened. All
 * of them together have at most as many bytes as an archive may hold; the one that has more throws `TooManyBytesError`.
 * When `signal` aborts, reading ends with its reason. Names are relative, with `/`.
 */
export class TreeReader {
  private readonly checked = new Map<string, Promise<void>>()
  private realRoot: Promise<string> | undefined
  private bytes = 0

  constructor(
    private readonly root: string,
    private readonly signal?: AbortSignal,
    private readonly maximumBytes = DEFAULT_LIMITS.maximumBytes,
  ) {}

  /** Directories end in `/`. */
  *inputs(names: Iterable<string>): Generator<OpenInput> {
    for (const name of names) yield () => this.read(name)
  }

  /** Throws `NotAFileError` for anything other than a regular file. */
  async openFile(name: string): Promise<OpenFile> {
    const stats = await this.inspect(name)
    if (!stats.isFile()) throw new NotAFileError(name)
    const { file, size } = await this.open(name)
    return { size, ...this.contentOf(file, size) }
  }

  private async read(nameWithSlash: string): Promise<ArchiveInput> {
    this.signal?.throwIfAborted()
    const name = nameWithSlash.replace(/\/$/, '')
    const stats = await this.inspect(name)
    const traits = traitsOf(name, stats)
    if (stats.isSymbolicLink()) return { ...traits, kind: 'link', target: await this.targetOf(name) }
    if (stats.isDirectory()) return { ...traits, kind: 'directory' }
    return stats.isFile() ? await this.readFile(traits) : { ...traits, kind: 'special' }
  }

  private async readFile(traits: InputTraits): Promise<ArchiveInput> {
    const { file, size } = await this.open(traits.name)
    if (size > SMALL_FILE_BYTES) return { ...traits, kind: 'stream', size, ...this.contentOf(file, size) }
    try {
      const buffer = Buffer.allocUnsafe(size)
      const { bytesRead } = await file.read(buffer, 0, size, 0)
      return { ...traits, kind: 'file', content: buffer.subarray(0, bytesRead) }
    } finally {
      await file.close()
    }
  }

  private async inspect(name: string): Promise<Stats> {
    await this.checkParent(name)
    return await lstat(join(this.root, name))
  }

  private async checkParent(name: string): Promise<void> {
    const parent = parentOf(name)
    if (parent === '') return
    const check = this.checked.get(parent) ?? this.checkDirectory(parent)
    this.checked.set(parent, check)
    await check
  }

  private async checkDirectory(name: string): Promise<void> {
    if (name.split('/').some((component) => ['', '.', '..'].includes(component)))
      throw new NotAFileError(name)
    const stats = await this.inspect(name)
    if (!stats.isDirectory()) throw new NotAFileError(name)
  }

  private async open(name: string): Promise<{ file: FileHandle; size: number }> {
    const file = await open(join(this.root, name), READ)
    try {
      const stats = await file.stat()
      if (!stats.isFile() || !(await this.isAt(file, name))) throw new NotAFileError(name)
      this.bytes += stats.size
      if (this.bytes > this.maximumBytes) throw new TooManyBytesError(name, this.maximumBytes)
      return { file, size: stats.size }
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /** The link is read from its directory, which is checked when it is open. */
  private async targetOf(name: string): Promise<Buffer> {
    const bytes = { encoding: 'buffer' } as const
    if (!HAS_DESCRIPTOR_PATHS) return await readlink(join(this.root, name), bytes)
    const parent = parentOf(name)
    const directory = await open(join(this.root, parent), ENTER)
    try {
      if (!(await this.isAt(directory, parent))) throw new NotAFileError(name)
      return await readlink(join(descriptorPath(directory), name.slice(name.lastIndexOf('/') + 1)), bytes)
    } finally {
      await directory.close()
    }
  }

  /**
   * Whether an open file is where its name says. It is not if a directory on the path was replaced by a link after it was
   * checked. Only a system with /proc can tell.
   */
  private async isAt(file: FileHandle, name: string): Promise<boolean> {
    if (!HAS_DESCRIPTOR_PATHS) return true
    this.realRoot ??= realpath(this.root)
    const path = join(await this.realRoot, name)
    // The kernel serves this from its memory, so this does not block.
    return readlinkSync(descriptorPath(file)) === path
  }

  private contentOf(file: FileHandle, size: number): Pick<OpenFile, 'content' | 'close'> {
    return { content: pieces(file, size, this.signal), close: () => file.close() }
  }
}

function parentOf(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('/')))
}

function traitsOf(name: string, { mode, mtime, uid, gid }: Stats): InputTraits {
  return { name, mode: mode & 0o7777, modified: mtime, uid, gid }
}

async function* pieces(file: FileHandle, size: number, signal?: AbortSignal): AsyncGenerator<Buffer> {
  try {
    for (let at = 0; at < size;) {
      signal?.throwIfAborted()
      const buffer = Buffer.allocUnsafe(Math.min(READ_BYTES, size - at))
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at)
      if (bytesRead === 0) return
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}
