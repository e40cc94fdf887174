import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'

import { replaceFile } from '../../lib/files.js'
import type { Logger } from '../../lib/logger.js'

/** Information that only the runner has about the items. Times are in milliseconds since 1970. */
interface LruIndexFile {
  /** Images that the runner pulled, by ID, with the names it used. Other images are not included. */
  images: Record<string, { names: string[]; usedAt: number }>
  volumes: Record<string, number>
  workspaces: Record<string, number>
}

/**
 * Stores in a file which images the runner pulled, and when items were last used. The file is replaced as a whole.
 * A killed process loses at most the last moment, so that items appear unused for a little longer than they are.
 */
export class LruIndex {
  private writing: Promise<void> | undefined
  private isChanged = false

  private constructor(
    private readonly file: string,
    private readonly index: LruIndexFile,
    private readonly logger: Logger,
    private readonly now: () => number,
  ) {}

  /** A missing or corrupt file gives an empty index. Images without an entry are never removed. */
  static async open(file: string, logger: Logger, now: () => number = Date.now): Promise<LruIndex> {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    return new LruIndex(file, await readBook(file), logger, now)
  }

  /** Like `open`, but logs a file that cannot be read and starts with an empty index. */
  static async openOrEmpty(file: string, logger: Logger, now: () => number = Date.now): Promise<LruIndex> {
    try {
      return await LruIndex.open(file, logger, now)
    } catch (error) {
      logger.warn({ file, err: error }, 'The LRU index of disk cleanup cannot be read')
      return new LruIndex(file, emptyBook(), logger, now)
    }
  }

  get pulledImages(): { id: string; names: string[]; usedAt: number }[] {
    return Object.entries(this.index.images).map(([id, image]) => ({ id, ...image }))
  }

  hasImage(id: string): boolean {
    return id in this.index.images
  }

  imagePulled(id: string, name: string): void {
    const names = this.index.images[id]?.names ?? []
    this.index.images[id] = { names: [...new Set([...names, name])], usedAt: this.now() }
    this.changed()
  }

  imageUsed(id: string): void {
    const image = this.index.images[id]
    if (!image) return
    image.usedAt = this.now()
    this.changed()
  }

  deleteImage(id: string): void {
    Reflect.deleteProperty(this.index.images, id)
    this.changed()
  }

  used(kind: 'volumes' | 'workspaces', name: string): void {
    this.index[kind][name] = this.now()
    this.changed()
  }

  lastUse(kind: 'volumes' | 'workspaces', name: string): number | undefined {
    return this.index[kind][name]
  }

  delete(kind: 'volumes' | 'workspaces', name: string): void {
    Reflect.deleteProperty(this.index[kind], name)
    this.changed()
  }

  /** Resolves when all changes are written, or could not be written. */
  async written(): Promise<void> {
    await this.writing
  }

  /** Changes that arrive during a write are included in the next one. */
  private changed(): void {
    this.isChanged = true
    this.writing ??= this.write().finally(() => (this.writing = undefined))
  }

  private async write(): Promise<void> {
    while (this.isChanged) {
      this.isChanged = false
      try {
        await replaceFile(this.file, JSON.stringify(this.index))
      } catch (error) {
        this.logger.warn({ err: error }, 'The LRU index of disk cleanup could not be written')
      }
    }
  }
}

function emptyBook(): LruIndexFile {
  return { images: {}, volumes: {}, workspaces: {} }
}

async function readBook(file: string): Promise<LruIndexFile> {
  try {
    return { ...emptyBook(), ...(JSON.parse(await readFile(file, 'utf8')) as Partial<LruIndexFile>) }
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return emptyBook()
    throw error
  }
}
