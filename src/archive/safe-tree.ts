import { constants, type Stats } from 'node:fs'
import {
  chmod,
  type FileHandle,
  link,
  lstat,
  lutimes,
  mkdir,
  open,
  rm,
  symlink,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

import { execa } from 'execa'

import { UnsafeArchiveError } from './errors.js'

export interface EntryTraits {
  /** Only the permission bits are used: an archive never creates a setuid file. */
  mode: number
  modified: Date
}

const PERMISSIONS = 0o777
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

/**
 * Writes below `root` and nowhere else, even if the tree contains links. Every directory on the path is checked
 * before it is entered. An existing file is removed and not opened. Nothing else may write to the tree at the same
 * time. Paths consist of components that `safeComponents` accepted.
 */
export class SafeTree {
  private readonly known = new Set<string>()
  private readonly directoryTraits = new Map<string, EntryTraits>()

  constructor(private readonly root: string) {}

  /**
   * Creates an empty file for `fillFile`, which may be called at any later time, even if the name of the file has changed.
   */
  async createFile(components: string[]): Promise<FileHandle> {
    const path = await this.pathOf(components)
    try {
      return await open(path, CREATE, 0o600)
    } catch (error) {
      if (!isTaken(error)) throw error
      await this.clear(path)
      return await open(path, CREATE, 0o600)
    }
  }

  async writeLink(components: string[], target: string, traits: EntryTraits): Promise<void> {
    const path = await this.pathOf(components)
    await this.clear(path)
    await symlink(target, path)
    await lutimes(path, traits.modified, traits.modified)
  }

  /** Adds another name for a file that was written before. */
  async linkFile(components: string[], target: string[]): Promise<void> {
    const existing = join(await this.enter(target.slice(0, -1)), target.at(-1) ?? '')
    if (!(await statsOf(existing))?.isFile()) {
      throw new UnsafeArchiveError(
        `The archive links to ${JSON.stringify(target.join('/'))}, which is not a file`,
      )
    }
    const path = await this.pathOf(components)
    if (path === existing) return
    await this.clear(path)
    await link(existing, path)
  }

  async createPipe(components: string[]): Promise<void> {
    const path = await this.pathOf(components)
    await this.clear(path)
    await execa('mkfifo', ['--', path], { stdin: 'ignore' })
  }

  /** `finish` sets the mode and time of the directory. Until then it must be writable, and its time changes. */
  async createDirectory(components: string[], traits: EntryTraits): Promise<void> {
    if (components.length === 0) return
    const path = join(this.root, ...components)
    const parent = await this.enter(components.slice(0, -1))
    const existing = await statsOf(path)
    if (existing && !existing.isDirectory()) await unlink(path)
    if (!existing?.isDirectory()) await mkdir(join(parent, components.at(-1) ?? ''))
    this.known.add(path)
    this.directoryTraits.set(path, traits)
  }

  async finish(): Promise<void> {
    const deepestFirst = [...this.directoryTraits].sort(([a], [b]) => b.length - a.length)
    for (const [path, traits] of deepestFirst) {
      await chmod(path, (traits.mode & PERMISSIONS) | 0o700)
      await utimes(path, traits.modified, traits.modified)
    }
  }

  /** The host path of a file or link. The components before it are directories. */
  private async pathOf(components: string[]): Promise<string> {
    const name = components.at(-1)
    if (name === undefined)
      throw new UnsafeArchiveError('The archive has a file in the place of its directory')
    return join(await this.enter(components.slice(0, -1)), name)
  }

  private async clear(path: string): Promise<void> {
    const existing = await statsOf(path)
    if (existing?.isDirectory()) await this.removeDirectory(path)
    else if (existing) await unlink(path)
  }

  private async enter(components: string[]): Promise<string> {
    let path = this.root
    for (const component of components) {
      path = join(path, component)
      if (this.known.has(path)) continue
      await this.enterOne(path)
      this.known.add(path)
    }
    return path
  }

  private async enterOne(path: string): Promise<void> {
    const stats = await statsOf(path)
    if (stats?.isSymbolicLink()) {
      throw new UnsafeArchiveError(
        `The archive writes through a link: ${JSON.stringify(path.slice(this.root.length + 1))}`,
      )
    }
    if (stats?.isDirectory()) return
    if (stats) await unlink(path)
    await mkdir(path)
  }

  private async removeDirectory(path: string): Promise<void> {
    await rm(path, { recursive: true, force: true })
    const isBelow = (known: string) => known === path || known.startsWith(`${path}/`)
    for (const known of this.known) if (isBelow(known)) this.known.delete(known)
    for (const known of this.directoryTraits.keys()) if (isBelow(known)) this.directoryTraits.delete(known)
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

async function statsOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
