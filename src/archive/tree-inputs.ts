import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, readlink } from 'node:fs/promises'
import { join } from 'node:path'

import { type ArchiveInput, type InputTraits, type OpenInput, SMALL_FILE_BYTES } from './archive-input.js'
import { NotAFileError } from './errors.js'

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
 * Reads below `root`, even if the tree contains links. Every component on the path must be a directory. Only files
 * that `lstat` reports as regular are opened, because opening a device may trigger it. Names are relative, with
 * `/`. Nothing else may write to the tree at the same time.
 */
export class TreeReader {
  private readonly checked = new Map<string, Promise<void>>()

  constructor(private readonly root: string) {}

  /** Directories end in `/`. */
  *inputs(names: Iterable<string>): Generator<OpenInput> {
    for (const name of names) yield () => this.read(name)
  }

  /** Throws `NotAFileError` for anything other than a regular file. */
  async openFile(name: string): Promise<OpenFile> {
    const stats = await this.look(name)
    if (!stats.isFile()) throw new NotAFileError(name)
    const { file, size } = await this.open(name)
    return { size, ...contentOf(file, size) }
  }

  private async read(nameWithSlash: string): Promise<ArchiveInput> {
    const name = nameWithSlash.replace(/\/$/, '')
    const stats = await this.look(name)
    const traits = traitsOf(name, stats)
    if (stats.isSymbolicLink()) {
      return { ...traits, kind: 'link', target: await readlink(join(this.root, name)) }
    }
    if (stats.isDirectory()) return { ...traits, kind: 'directory' }
    return stats.isFile() ? await this.readFile(traits) : { ...traits, kind: 'special' }
  }

  private async readFile(traits: InputTraits): Promise<ArchiveInput> {
    const { file, size } = await this.open(traits.name)
    if (size > SMALL_FILE_BYTES) return { ...traits, kind: 'stream', size, ...contentOf(file, size) }
    try {
      const buffer = Buffer.allocUnsafe(size)
      const { bytesRead } = await file.read(buffer, 0, size, 0)
      return { ...traits, kind: 'file', content: buffer.subarray(0, bytesRead) }
    } finally {
      await file.close()
    }
  }

  private async look(name: string): Promise<Stats> {
    await this.checkParent(name)
    return await lstat(join(this.root, name))
  }

  private async checkParent(name: string): Promise<void> {
    const end = name.lastIndexOf('/')
    if (end === -1) return
    const parent = name.slice(0, end)
    const check = this.checked.get(parent) ?? this.checkDirectory(parent)
    this.checked.set(parent, check)
    await check
  }

  private async checkDirectory(name: string): Promise<void> {
    if (name.split('/').some((component) => ['', '.', '..'].includes(component)))
      throw new NotAFileError(name)
    const stats = await this.look(name)
    if (!stats.isDirectory()) throw new NotAFileError(name)
  }

  private async open(name: string): Promise<{ file: FileHandle; size: number }> {
    const file = await open(join(this.root, name), READ)
    const stats = await file.stat()
    if (stats.isFile()) return { file, size: stats.size }
    await file.close()
    throw new NotAFileError(name)
  }
}

function traitsOf(name: string, { mode, mtime, uid, gid }: Stats): InputTraits {
  return { name, mode: mode & 0o7777, modified: mtime, uid, gid }
}

function contentOf(file: FileHandle, size: number): Pick<OpenFile, 'content' | 'close'> {
  return { content: pieces(file, size), close: () => file.close() }
}

async function* pieces(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  try {
    for (let at = 0; at < size;) {
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
