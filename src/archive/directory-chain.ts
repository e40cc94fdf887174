import { constants, existsSync } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'

import { UnsafeArchiveError } from './errors.js'

const DESCRIPTORS = `/proc/${process.pid}/fd`
/** Whether the path of an open directory can be used to name files in it. Without /proc, plain paths are used. */
export const HAS_DESCRIPTOR_PATHS = existsSync(DESCRIPTORS)

/** Opens a directory for paths only (`O_PATH` of Linux), which needs no permission to read it. Follows no link. */
export const ENTER = HAS_DESCRIPTOR_PATHS
  ? 0o10000000 | constants.O_DIRECTORY | constants.O_NOFOLLOW
  : constants.O_DIRECTORY | constants.O_NOFOLLOW

/**
 * The path of an open directory. It leads to this directory even if the directory is renamed or replaced. It is valid
 * until the handle is closed, also in child processes.
 */
export function descriptorPath({ fd }: FileHandle): string {
  return `${DESCRIPTORS}/${fd}`
}

interface Step {
  component: string
  path: string
  handle: FileHandle
}

/**
 * Goes from `root` into directories below it, one component at a time, each from its open parent, so that no link is
 * followed even if one replaces a directory at the same time. The last chain is kept open, because the next one usually
 * shares its beginning. One call at a time.
 */
export class DirectoryChain {
  private readonly steps: Step[] = []
  private rootHandle: FileHandle | undefined

  constructor(private readonly root: string) {}

  /**
   * The path of a directory, until the next call. Creates missing ones, in the place of anything that is neither a directory
   * nor a link. Throws `UnsafeArchiveError` for a link on the way.
   */
  async enter(components: string[]): Promise<string> {
    const common = this.steps.findIndex(({ component }, index) => component !== components[index])
    await this.leave(common === -1 ? components.length : common)
    while (this.steps.length < components.length) await this.step(components)
    return this.steps.at(-1)?.path ?? (await this.rootPath())
  }

  async close(): Promise<void> {
    await this.leave(0)
    await this.rootHandle?.close()
    this.rootHandle = undefined
  }

  private async leave(depth: number): Promise<void> {
    for (const { handle } of this.steps.splice(depth).reverse()) await handle.close()
  }

  private async step(components: string[]): Promise<void> {
    const component = components[this.steps.length] ?? ''
    const plain = join(this.steps.at(-1)?.path ?? (await this.rootPath()), component)
    const handle = await openOrCreate(plain, components.slice(0, this.steps.length + 1))
    this.steps.push({ component, handle, path: HAS_DESCRIPTOR_PATHS ? descriptorPath(handle) : plain })
  }

  private async rootPath(): Promise<string> {
    if (!HAS_DESCRIPTOR_PATHS) return this.root
    this.rootHandle ??= await open(this.root, ENTER & ~constants.O_NOFOLLOW)
    return descriptorPath(this.rootHandle)
  }
}

async function openOrCreate(path: string, components: string[]): Promise<FileHandle> {
  const stats = await lstatOrUndefined(path)
  if (stats?.isSymbolicLink()) {
    throw new UnsafeArchiveError(`The archive writes through a link: ${JSON.stringify(components.join('/'))}`)
  }
  if (stats && !stats.isDirectory()) await unlink(path)
  if (!stats?.isDirectory()) await mkdir(path)
  return await open(path, ENTER)
}

export async function lstatOrUndefined(path: string) {
  try {
    return await lstat(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
