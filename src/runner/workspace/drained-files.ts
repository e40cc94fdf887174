import { mkdir } from 'node:fs/promises'
import { posix } from 'node:path'

import { extractTar } from '../../archive/extract-tar.js'
import { isWithin } from './needed-names.js'
import { removeTree } from './remove-tree.js'
import type { ContainerFiles } from './workspace.js'

/** Copies below `root`, a directory of the host, of what a job left in its container: as much of it as was asked for. */
export class DrainedFiles {
  private readonly fetched: string[] = []

  constructor(
    private readonly files: ContainerFiles,
    /** As the job sees it. */
    private readonly projectDir: string,
    private readonly root: string,
  ) {}

  /** Brings in what is at these names of the project directory; the empty one is all of it. */
  async fetch(names: string[]): Promise<void> {
    await mkdir(this.root, { recursive: true })
    for (const name of names) {
      if (this.fetched.some((known) => isWithin(name, known))) continue
      await this.fetchOne(name)
      this.fetched.push(name)
    }
  }

  /** To be called when the container's files change. */
  async clear(): Promise<void> {
    if (this.fetched.length === 0) return
    this.fetched.length = 0
    await removeTree(this.root)
  }

  private async fetchOne(name: string): Promise<void> {
    const parent = posix.dirname(this.projectDir)
    const archive = await this.files.get(parent, posix.join(posix.basename(this.projectDir), name))
    if (archive) await extractTar(archive, { root: this.root, at: name === '' ? [] : name.split('/') })
  }
}
