import type { Readable } from 'node:stream'

import type { OpenInput } from '../../archive/archive-input.js'
import { digestOfFiles } from '../../archive/content-digest.js'
import { gzipInputs } from '../../archive/gzip-writer.js'
import { type OpenFile, TreeReader } from '../../archive/tree-inputs.js'
import { zipInputs } from '../../archive/zip-writer.js'
import { MINUTE } from '../../lib/time-units.js'
import { HostRepository } from './host-repository.js'
import type { WorkspaceLayout } from './layout.js'
import { selectFiles } from './select-files.js'
import type { AddedFile, CompressionLevel, FileSelection, SelectedFiles } from './workspace.js'

/**
 * Compression levels of zlib. 0 stores without compression. `default` is 4, where the reference uses 5 of another
 * compressor (runner protocol, 5.4). Levels from 4 on make zlib search for better matches, and level 5 takes a third
 * longer for 3 % less.
 */
const DEFLATE_LEVELS: Record<CompressionLevel, number> = {
  fastest: 0,
  fast: 1,
  default: 4,
  slow: 7,
  slowest: 9,
}

/** Maximum milliseconds for listing untracked files. */
const UNTRACKED_LIMIT = 10 * MINUTE

/**
 * The files that a job left below a directory on the host. They are selected, and packed while they are read. No
 * link is followed.
 */
export class HostFiles {
  constructor(
    private readonly layout: WorkspaceLayout,
    private readonly root: string,
    /** Maximum number of cores for compression. Undefined means all. */
    private readonly cores: number | undefined,
  ) {}

  async select(selection: FileSelection, signal: AbortSignal): Promise<SelectedFiles> {
    const { projectDir } = this.layout
    const tree = { root: this.root, projectDir, untrackedFiles: () => this.untrackedFiles(signal) }
    return await selectFiles(tree, selection, signal)
  }

  zip(files: SelectedFiles, level: CompressionLevel, signal: AbortSignal, added: AddedFile[]): Readable {
    const inputs = new TreeReader(this.root, signal).inputs(files.names)
    const options = { level: DEFLATE_LEVELS[level], cores: this.cores }
    return zipInputs([...inputs, ...added.map(addedInput)], options)
  }

  gzip(files: SelectedFiles, level: CompressionLevel, signal: AbortSignal): Readable {
    return gzipInputs(
      new TreeReader(this.root, signal).inputs(files.names),
      DEFLATE_LEVELS[level],
      this.cores,
    )
  }

  async open(name: string, signal: AbortSignal): Promise<OpenFile> {
    return await new TreeReader(this.root, signal).openFile(name)
  }

  async contentDigest(files: SelectedFiles, signal: AbortSignal): Promise<string> {
    return await digestOfFiles(this.root, files.names, signal)
  }

  /** There are no untracked files if there is no repository, as for a first job with strategy `none`. */
  private async untrackedFiles(signal: AbortSignal): Promise<string[]> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(UNTRACKED_LIMIT)])
    const repository = new HostRepository(this.layout.gitDir, this.root, limit)
    return (await repository.exists()) ? await repository.untrackedFiles() : []
  }
}

/** A file that the runner itself adds to an archive. */
function addedInput({ name, content, modified }: AddedFile): OpenInput {
  return async () => ({ kind: 'file', name, content, modified, mode: 0o644, uid: 0, gid: 0 })
}
