import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** A response that was kept, and when it was fetched, in milliseconds since 1970. */
export interface KeptCopy {
  text: string
  fetchedAt: number
}

/** Copies of fetched files in a folder of the user, which nobody else can read. */
export class KeptCopies {
  constructor(
    private readonly folder = join(
      process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'),
      'switchyard/includes',
    ),
  ) {}

  /** Undefined if there is no copy, or if it is damaged. */
  async read(key: string): Promise<KeptCopy | undefined> {
    const content = await readFile(this.pathOf(key), 'utf8').catch(() => undefined)
    const end = content?.indexOf('\n') ?? -1
    const fetchedAt = Number(content?.slice(0, end))
    return content === undefined || end < 1 || !Number.isSafeInteger(fetchedAt)
      ? undefined
      : { text: content.slice(end + 1), fetchedAt }
  }

  /** A copy that cannot be stored is only missed later. */
  async keep(key: string, text: string): Promise<void> {
    const path = this.pathOf(key)
    const fresh = `${path}.${process.pid}`
    try {
      await mkdir(this.folder, { recursive: true, mode: 0o700 })
      await writeFile(fresh, `${Date.now()}\n${text}`, { mode: 0o600 })
      await rename(fresh, path)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error
    }
  }

  private pathOf(key: string): string {
    return join(this.folder, createHash('sha256').update(key).digest('hex'))
  }
}
