import { constants } from 'node:fs'
import { chmod, lchown, mkdir, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

import type { OpenInput } from '../../archive/archive-input.js'
import { digestOfFiles } from '../../archive/content-digest.js'
import { type Extraction, extractZip } from '../../archive/extract-zip.js'
import { gzipInputs } from '../../archive/gzip-writer.js'
import { type OpenFile, TreeReader } from '../../archive/tree-inputs.js'
import { zipInputs } from '../../archive/zip-writer.js'
import type { JobLog } from '../trace/job-log.js'
import { addedInput } from './added-input.js'
import { DEFLATE_LEVELS } from './deflate-levels.js'
import { HostRepository } from './host-repository.js'
import { type WorkspaceLayout, workspaceLayout, workspaceMounts } from './layout.js'
import { emptyWorkTree, prepareSources } from './prepare-sources.js'
import { removeTree } from './remove-tree.js'
import { selectFiles } from './select-files.js'
import { tidyTree } from './tidy-tree.js'
import type {
  AddedFile,
  CompressionLevel,
  FileSelection,
  Mount,
  SelectedFiles,
  SourceRequest,
  Workspace,
  WorkspaceProvider,
  WorkspaceRequest,
} from './workspace.js'

/** The job's git may find its files owned by the runner's user instead of its own. */
const TRUST_WORK_TREE = {
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'safe.directory',
  GIT_CONFIG_VALUE_0: '*',
}

/**
 * Workspaces that are directories below `root`, for an engine that shares the runner's file system:
 *
 *     <root>/<number of the job>/<project>[-protected][-<uid>-<gid>]
 *         /git      the runner's repository; a job sees its objects, read-only
 *         /modules  the same for each submodule
 *         /work     the job's `/builds/<group>/<project>`
 *         /tmp      the job's `/builds/<group>/<project>.tmp`
 *
 * Files belong to the user that the job's image runs as, and are writable for it alone. They are given to it by a runner
 * that is root; with any other the files stay those of the runner's user, which cannot remove what a container left as
 * root: the next job of the project then fails with that word. `root` is closed to other users of the host, one of whom
 * may have the same number as the user of an image.
 */
export function createBindWorkspaceProvider(settings: { root: string }): WorkspaceProvider {
  const open = async (request: WorkspaceRequest, isNew: boolean) => {
    await mkdir(settings.root, { recursive: true })
    await chmod(settings.root, 0o700)
    return await BindWorkspace.open(workspaceLayout(settings.root, request), isNew)
  }
  return {
    place: (request) => workspaceLayout(settings.root, request),
    open: (request) => open(request, true),
    reopen: (request) => open(request, false),
  }
}

class BindWorkspace implements Workspace {
  readonly buildsDir: string
  readonly projectDir: string
  readonly temporaryDir: string
  readonly mounts: Mount[]
  readonly environment = TRUST_WORK_TREE

  private constructor(private readonly layout: WorkspaceLayout) {
    this.buildsDir = layout.buildsDir
    this.projectDir = layout.projectDir
    this.temporaryDir = layout.temporaryDir
    this.mounts = workspaceMounts(layout)
  }

  static async open(layout: WorkspaceLayout, isNew: boolean): Promise<BindWorkspace> {
    if (isNew) await removeTree(layout.temporary)
    for (const directory of [join(layout.gitDir, 'objects'), layout.modulesDir]) {
      await mkdir(directory, { recursive: true })
    }
    for (const directory of [layout.workTree, layout.temporary]) {
      await mkdir(directory, { recursive: true })
      if (layout.owner) await lchown(directory, layout.owner.uid, layout.owner.gid)
    }
    return new BindWorkspace(layout)
  }

  async prepareSources(source: SourceRequest, log: JobLog, signal: AbortSignal): Promise<void> {
    await prepareSources(this.layout, source, log, signal)
  }

  async clear(): Promise<void> {
    await emptyWorkTree(this.layout, AbortSignal.timeout(UNTRACKED_LIMIT))
  }

  /**
   * The job may have put a link in the place of the file: what is there is removed, not written to. A file that nobody
   * could be made the owner of is readable for every user of the container.
   */
  async writeTemporaryFile(name: string, content: string, mode = 0o644): Promise<string> {
    if (!/^[\w.-]+$/.test(name) || /^\.+$/.test(name)) throw new Error(`"${name}" is no name of a file`)
    const path = join(this.layout.temporary, name)
    await removeTree(path)
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
    const file = await open(path, flags, mode)
    try {
      await file.writeFile(content)
      const { owner } = this.layout
      if (owner) await file.chown(owner.uid, owner.gid)
      await file.chmod(this.layout.isOwnerKnown ? mode : mode | 0o044)
    } finally {
      await file.close()
    }
    return `${this.temporaryDir}/${name}`
  }

  async selectFiles(selection: FileSelection): Promise<SelectedFiles> {
    const tree = {
      root: this.layout.workTree,
      projectDir: this.projectDir,
      untrackedFiles: () => this.untrackedFiles(),
    }
    return await selectFiles(tree, selection)
  }

  zip(files: SelectedFiles, level: CompressionLevel, added: AddedFile[] = []): Readable {
    return zipInputs([...this.inputs(files), ...added.map(addedInput)], { level: DEFLATE_LEVELS[level] })
  }

  gzip(files: SelectedFiles, level: CompressionLevel): Readable {
    return gzipInputs(this.inputs(files), DEFLATE_LEVELS[level])
  }

  async openFile(name: string): Promise<OpenFile> {
    return await new TreeReader(this.layout.workTree).openFile(name)
  }

  async contentDigest(files: SelectedFiles, signal: AbortSignal): Promise<string> {
    return await digestOfFiles(this.layout.workTree, files.names, signal)
  }

  async extractZip(zipFile: string, signal: AbortSignal): Promise<Extraction> {
    const extraction = await extractZip(zipFile, this.layout.workTree, signal)
    if (this.layout.owner) await tidyTree(this.layout.workTree, this.layout.owner)
    return extraction
  }

  async close(): Promise<void> {
    await removeTree(this.layout.temporary)
  }

  async maintain(): Promise<void> {
    const signal = AbortSignal.timeout(MAINTENANCE_LIMIT)
    const { gitDir, modulesDir, workTree } = this.layout
    const modules = (await readdir(modulesDir)).map((name) => join(modulesDir, name))
    for (const directory of [gitDir, ...modules]) {
      const repository = new HostRepository(directory, workTree, signal)
      if (await repository.exists()) await repository.collectGarbage()
    }
  }

  private inputs(files: SelectedFiles): Iterable<OpenInput> {
    return new TreeReader(this.layout.workTree).inputs(files.names)
  }

  /** Without a repository, as under the strategy `none` of a first job, git knows of no file to be untracked. */
  private async untrackedFiles(): Promise<string[]> {
    const repository = new HostRepository(
      this.layout.gitDir,
      this.layout.workTree,
      AbortSignal.timeout(UNTRACKED_LIMIT),
    )
    return (await repository.exists()) ? await repository.untrackedFiles() : []
  }
}

/** Milliseconds that listing untracked files may take. */
const UNTRACKED_LIMIT = 10 * 60_000

/** Milliseconds in all that packing may take, while the place of the job is not free yet. */
const MAINTENANCE_LIMIT = 2 * 60_000
