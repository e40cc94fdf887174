import { mkdir } from 'node:fs/promises'
import { posix } from 'node:path'

import { extractTar } from '../../archive/extract-tar.js'
import type { ContainerFiles } from './job-files.js'
import { isWithin } from './needed-names.js'
import { removeTree } from './remove-tree.js'

/** Copies of requested files of a job's container, below `root`, a directory on the host. */
export class DrainedFiles {
  private readonly fetched: string[] = []
  /** Whether `root` exists, possibly with some of the files that could not be fetched. */
  private isUsed = false

  constructor(
    private readonly files: ContainerFiles,
    /** As the job sees it. */
    private readonly projectDir: string,
    private readonly root: string,
  ) {}

  /** Fetches these names of the project directory. The empty name fetches all of it. */
  async fetch(names: string[], signal: AbortSignal): Promise<void> {
    this.isUsed = true
    await mkdir(this.root, { recursive: true })
    for (const name of names) {
      if (this.fetched.some((known) => isWithin(name, known))) continue
      await this.fetchOne(name, signal)
      this.fetched.push(name)
    }
  }

  /** Must be called when the files of the container change. */
  async clear(): Promise<void> {
    if (!this.isUsed) return
    this.fetched.length = 0
    await removeTree(this.root)
    this.isUsed = false
  }

  private async fetchOne(name: string, signal: AbortSignal): Promise<void> {
    const parent = posix.dirname(this.projectDir)
    const archive = await this.files.get(parent, posix.join(posix.basename(this.projectDir), name))
    if (archive)
      await extractTar(archive, { root: this.root, at: name === '' ? [] : name.split('/') }, signal)
  }
}
