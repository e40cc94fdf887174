import { constants } from 'node:fs'
import {
  chmod,
  type FileHandle,
  link,
  lutimes,
  mkdir,
  open,
  symlink,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

import { execa } from 'execa'

import { DirectoryChain, lstatOrUndefined } from './directory-chain.js'
import { UnsafeArchiveError } from './errors.js'

export interface EntryTraits {
  /** Only the permission bits are used: an archive never creates a setuid file. */
  mode: number
  modified: Date
}

const PERMISSIONS = 0o777
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

/**
 * Writes below `root` and nowhere else, even if the tree contains links, and whatever a job does to it at the same time: no
 * link is followed on the way to a file. An existing file is removed and not opened. One call at a time. Paths consist of
 * components that `safeComponents` accepted. `close` must be called at the end.
 */
export class SafeTree {
  private readonly directories: DirectoryChain
  /** By the path below the root. */
  private readonly traits = new Map<string, EntryTraits>()

  constructor(private readonly root: string) {
    this.directories = new DirectoryChain(root)
  }

  /**
   * Creates an empty file for `fillFile`, which may be called at any later time, even if the name of the file has changed.
   */
  async createFile(components: string[]): Promise<FileHandle> {
    const path = await this.pathOf(components)
    try {
      return await open(path, CREATE, 0o600)
    } catch (error) {
      if (!isTaken(error)) throw error
      await this.clear(components)
      return await open(path, CREATE, 0o600)
    }
  }

  async writeLink(components: string[], target: string | Buffer, traits: EntryTraits): Promise<void> {
    const path = await this.pathOf(components)
    await this.clear(components)
    await symlink(target, path)
    await lutimes(path, traits.modified, traits.modified)
  }

  /** Adds another name for a file that was written before. Nothing else may write to the tree at the same time. */
  async linkFile(components: string[], target: string[]): Promise<void> {
    const inDirectory = await this.pathOf(target)
    if (!(await lstatOrUndefined(inDirectory))?.isFile()) {
      throw new UnsafeArchiveError(
        `The archive links to ${JSON.stringify(target.join('/'))}, which is not a file`,
      )
    }
    if (components.join('/') === target.join('/')) return
    const path = await this.pathOf(components)
    await this.clear(components)
    await link(join(this.root, ...target), path)
  }

  async createPipe(components: string[]): Promise<void> {
    const path = await this.pathOf(components)
    await this.clear(components)
    await execa('mkfifo', ['--', path], { stdin: 'ignore' })
  }

  /** `finish` sets the mode and time of the directory. Until then it must be writable, and its time changes. */
  async createDirectory(components: string[], traits: EntryTraits): Promise<void> {
    if (components.length === 0) return
    const path = await this.pathOf(components)
    const existing = await lstatOrUndefined(path)
    if (existing && !existing.isDirectory()) await unlink(path)
    if (!existing?.isDirectory()) await mkdir(path)
    this.traits.set(components.join('/'), traits)
  }

  async finish(): Promise<void> {
    const deepestFirst = [...this.traits].sort(([a], [b]) => b.length - a.length)
    for (const [name, traits] of deepestFirst) {
      const path = await this.directories.enter(name.split('/'))
      await chmod(path, (traits.mode & PERMISSIONS) | 0o700)
      await utimes(path, traits.modified, traits.modified)
    }
  }

  async close(): Promise<void> {
    await this.directories.close()
  }

  /** The host path of a file or link, until the next call. The components before it are directories. */
  private async pathOf(components: string[]): Promise<string> {
    const name = components.at(-1)
    if (name === undefined)
      throw new UnsafeArchiveError('The archive has a file in the place of its directory')
    return join(await this.directories.enter(components.slice(0, -1)), name)
  }

  /** Removes what is there, in the directory of the last `pathOf`, which stays open. */
  private async clear(components: string[]): Promise<void> {
    const path = await this.pathOf(components)
    const existing = await lstatOrUndefined(path)
    if (existing?.isDirectory()) await this.removeDirectory(path, components.join('/'))
    else if (existing) await unlink(path)
  }

  /** Uses a program that follows no link that replaces a directory at the same time. */
  private async removeDirectory(path: string, name: string): Promise<void> {
    await execa('rm', ['-rf', '--', path], { stdin: 'ignore' })
    for (const known of this.traits.keys()) {
      if (known === name || known.startsWith(`${name}/`)) this.traits.delete(known)
    }
  }
}

/** Writes the content of a file that `createFile` created, and closes it. */
export async function fillFile(
  file: FileHandle,
  open: () => Promise<Readable | Buffer>,
  traits: EntryTraits,
  signal?: AbortSignal,
): Promise<void> {
  try {
    await writeFile(file, await open(), { signal })
    await file.chmod(traits.mode & PERMISSIONS)
    await file.utimes(traits.modified, traits.modified)
  } finally {
    await file.close()
  }
}

function isTaken(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EEXIST'
}
