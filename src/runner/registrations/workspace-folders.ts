import { join } from 'node:path'

import { readIfThere, replaceFile } from '../../lib/files.js'
import type { Logger } from '../../lib/logger.js'
import { tokenDigest } from '../../lib/tokens.js'
import type { RunnerRegistration } from '../config/settings.js'

type Registration = Pick<RunnerRegistration, 'url' | 'token'>

/**
 * The folders with the workspaces of each registration. Registrations number their jobs independently, and
 * coordinators number their projects independently. So each registration needs a folder of its own. A registration
 * whose token is renewed keeps its folder: `renewed-tokens.json` stores it for the next process.
 */
export class WorkspaceFolders {
  private writing: Promise<void> = Promise.resolve()

  private constructor(
    private readonly dataDir: string,
    /** Folder names by the names that the current tokens would give. */
    private readonly renewed: Map<string, string>,
    private readonly logger: Logger,
  ) {}

  /** An unreadable file counts as missing: new folders are created then. */
  static async open(dataDir: string, logger: Logger): Promise<WorkspaceFolders> {
    return new WorkspaceFolders(dataDir, await readRenewed(fileIn(dataDir), logger), logger)
  }

  of(entry: Registration): string {
    return join(this.dataDir, 'workspaces', this.nameOf(entry))
  }

  /** `now` is the renewed registration of `before`. Resolves when this is stored, or could not be stored. */
  async renew(before: Registration, now: Registration): Promise<void> {
    const name = this.nameOf(before)
    this.renewed.delete(ownName(before))
    if (ownName(now) !== name) this.renewed.set(ownName(now), name)
    this.writing = this.writing.then(() => this.write())
    await this.writing
  }

  private nameOf(entry: Registration): string {
    const name = ownName(entry)
    return this.renewed.get(name) ?? name
  }

  private async write(): Promise<void> {
    try {
      await replaceFile(fileIn(this.dataDir), JSON.stringify(Object.fromEntries(this.renewed)))
    } catch (error) {
      this.logger.warn(
        { err: error },
        'After the next start, the workspaces of a renewed token are created again',
      )
    }
  }
}

function ownName({ url, token }: Registration): string {
  return tokenDigest(`${url} ${token}`).slice(0, 16)
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'renewed-tokens.json')
}

async function readRenewed(file: string, logger: Logger): Promise<Map<string, string>> {
  const text = await readIfThere(file)
  if (text === undefined) return new Map()
  try {
    const names = Object.entries(JSON.parse(text) as Record<string, unknown>)
    return new Map(names.flatMap(([own, name]) => (isName(name) ? [[own, name]] : [])))
  } catch (error) {
    logger.warn({ file, err: error }, 'The folders of renewed tokens cannot be read')
    return new Map()
  }
}

/** Only such names may become part of a path. */
function isName(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]{16}$/.test(value)
}
