import { join } from 'node:path'

import { readIfThere, replaceFile } from '../../lib/files.js'
import type { Logger } from '../../lib/logger.js'
import { tokenDigest } from '../../lib/tokens.js'
import type { RunnerRegistration } from '../config/settings.js'

type Registration = Pick<RunnerRegistration, 'url' | 'token'>

/**
 * Where the workspaces of each entry lie. Registrations number their jobs and their coordinators number their projects on
 * their own, so that nothing but a folder of its own keeps the jobs of two entries apart. An entry whose token was
 * renewed stays where it was: `renewed-tokens.json` tells the next process which folder that is.
 */
export class WorkspaceFolders {
  private writing: Promise<void> = Promise.resolve()

  private constructor(
    private readonly dataDir: string,
    /** Folder names by the ones that the tokens would have given. */
    private readonly renewed: Map<string, string>,
    private readonly logger: Logger,
  ) {}

  /** A file that cannot be understood counts as none: folders are then made anew. */
  static async open(dataDir: string, logger: Logger): Promise<WorkspaceFolders> {
    return new WorkspaceFolders(dataDir, await readRenewed(fileIn(dataDir), logger), logger)
  }

  of(entry: Registration): string {
    return join(this.dataDir, 'workspaces', this.nameOf(entry))
  }

  /** `now` is the entry that was `before`. Resolves when the next process knows it, or cannot come to know it. */
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
      this.logger.warn({ err: error }, 'After the next start the workspaces of a renewed token are made anew')
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
    logger.warn({ file, err: error }, 'Which workspaces belong to renewed tokens cannot be read')
    return new Map()
  }
}

/** Nothing else becomes part of a path. */
function isName(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]{16}$/.test(value)
}
