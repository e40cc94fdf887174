import { createHash } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { readIfThere, replaceFile } from '../../../../lib/files.js'

export type GivenBy = 'job' | 'runner'

/**
 * The repositories whose images this machine has because somebody had credentials for them: their images must not be
 * handed to those who have none, only because they are there. One small file each, so that any number of runners may
 * write at once; a file is there before the image is. Reading a file that is half written is impossible, as each is
 * renamed into its place.
 */
export class PrivateImages {
  /** `folder` undefined: nothing is remembered, and nothing is private. */
  constructor(private readonly folder: string | undefined) {}

  /** Who had credentials for the repository; undefined when it was open to everybody. */
  async openedBy(repository: string): Promise<GivenBy | undefined> {
    if (this.folder === undefined) return undefined
    const text = await readIfThere(this.fileOf(this.folder, repository))
    if (text === undefined) return undefined
    // What cannot be understood counts as the stricter of the two.
    return text.startsWith('runner ') ? 'runner' : 'job'
  }

  /** A repository that the runner's own credentials open stays marked so, whoever pulls from it later. */
  async add(repository: string, by: GivenBy): Promise<void> {
    if (this.folder === undefined || (await this.openedBy(repository)) === 'runner') return
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    await replaceFile(this.fileOf(this.folder, repository), `${by} ${repository}\n`, { flush: true })
  }

  async remove(repository: string): Promise<void> {
    if (this.folder !== undefined) await rm(this.fileOf(this.folder, repository), { force: true })
  }

  private fileOf(folder: string, repository: string): string {
    return join(folder, createHash('sha256').update(repository).digest('hex'))
  }
}
