import { constants } from 'node:fs'
import { chmod, lchown, mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

import { type Extraction, extractZip } from '../../archive/extract-zip.js'
import type { OpenFile } from '../../archive/tree-inputs.js'
import { MINUTE } from '../../lib/time-units.js'
import type { JobLog } from '../trace/job-log.js'
import { HostFiles } from './archive-host-files.js'
import { cleanTree } from './clean-tree.js'
import { readCreatedFiles } from './created-files.js'
import { gitEnvironmentOfJob } from './job-credentials.js'
import type { Mount, OutputDirectory } from './job-files.js'
import { type WorkspaceLayout, workspaceLayout, workspaceMounts } from './layout.js'
import { packRepositories } from './pack-repositories.js'
import { emptyWorkTree, prepareSources } from './prepare-sources.js'
import { QuietHomes } from './quiet-homes.js'
import { readSmallFile } from './read-small-file.js'
import { removeSetAside, setAside } from './set-aside.js'
import type {
  AddedFile,
  CompressionLevel,
  CreatedFile,
  FileSelection,
  SelectedFiles,
  SmallFile,
  SourceRequest,
  Workspace,
  WorkspaceProvider,
  WorkspaceRequest,
} from './workspace.js'

/** Maximum milliseconds for removing the files of a job. */
const CLEARING_LIMIT = 10 * MINUTE

/**
 * Workspaces that are directories below `root`, for an engine that shares the runner's file system:
 *
 *     <root>/<concurrency number>/<project>[-protected][-<uid>-<gid>]
 *         /git      the runner's repository; a job sees its objects, read-only
 *         /modules  the same for each submodule
 *         /work     the job's `/builds/<group>/<project>`
 *         /tmp      the job's `/builds/<group>/<project>.tmp`
 *         /output   the output of its scripts, `/builds/<group>/<project>.output`
 *
 * A runner that is root makes the user of the job's image the owner of the files, which only that user can write.
 * With any other runner, the files stay those of the runner's user. It cannot remove files that a container created
 * as root, so the next job of the project fails with that message. `root` is not accessible to other users of the
 * host, because one of them may have the same ID as the user of an image.
 */
export function createBindWorkspaceProvider(
  settings: { root: string },
  homes = new QuietHomes(),
): WorkspaceProvider {
  const open = async (request: WorkspaceRequest, isNew: boolean) => {
    await mkdir(settings.root, { recursive: true })
    await chmod(settings.root, 0o700)
    return await openBindWorkspace(workspaceLayout(settings.root, request), request, homes, isNew)
  }
  return {
    locate: (request) => workspaceLayout(settings.root, request),
    open: (request) => open(request, true),
    reopen: (request) => open(request, false),
  }
}

/** Opens a workspace with these directories. */
export async function openBindWorkspace(
  layout: WorkspaceLayout,
  { cores, repositoryUrl }: Pick<WorkspaceRequest, 'cores' | 'repositoryUrl'>,
  homes: QuietHomes,
  isNew: boolean,
): Promise<Workspace> {
  const environment = gitEnvironmentOfJob(repositoryUrl)
  return await BindWorkspace.open({ layout, homes, cores, environment }, isNew)
}

interface BindWorkspaceParts {
  layout: WorkspaceLayout
  homes: QuietHomes
  /** Number of cores that may compress files of the job. Undefined means all. */
  cores: number | undefined
  environment: Record<string, string>
}

class BindWorkspace implements Workspace {
  readonly buildsDir: string
  readonly projectDir: string
  readonly temporaryDir: string
  readonly mounts: Mount[]
  readonly output: OutputDirectory | undefined

  private readonly files: HostFiles

  private constructor(
    private readonly layout: WorkspaceLayout,
    private readonly homes: QuietHomes,
    cores: number | undefined,
    readonly environment: Record<string, string>,
  ) {
    this.files = new HostFiles(layout, layout.workTree, cores)
    this.buildsDir = layout.buildsDir
    this.projectDir = layout.projectDir
    this.temporaryDir = layout.temporaryDir
    this.mounts = workspaceMounts(layout)
    const { output: hostPath, outputDir: containerPath } = layout
    this.output = hostPath === undefined ? undefined : { hostPath, containerPath }
  }

  static async open(
    { layout, homes, cores, environment }: BindWorkspaceParts,
    isNew: boolean,
  ): Promise<BindWorkspace> {
    if (isNew) await setAsideFilesOfJob(layout)
    for (const directory of [join(layout.gitDir, 'objects'), layout.modulesDir]) {
      await mkdir(directory, { recursive: true })
    }
    for (const directory of [layout.workTree, layout.temporary]) await mkdir(directory, { recursive: true })
    if (layout.output !== undefined) await mkdir(layout.output, { recursive: true, mode: 0o700 })
    for (const directory of directoriesOfJob(layout)) {
      if (layout.owner) await lchown(directory, layout.owner.uid, layout.owner.gid)
    }
    if (isNew) await createMarks(layout)
    return new BindWorkspace(layout, homes, cores, environment)
  }

  async prepareSources(source: SourceRequest, log: JobLog, signal: AbortSignal): Promise<void> {
    await this.homes.work(this.layout.home, () => prepareSources(this.layout, source, log, signal))
  }

  async clear(signal: AbortSignal): Promise<void> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(CLEARING_LIMIT)])
    await this.homes.work(this.layout.home, () => emptyWorkTree(this.layout, limit))
  }

  /**
   * Replaces an existing file instead of writing to it, because the job may have put a link there. If the owner cannot
   * be set, the file is readable for every user of the container.
   */
  async writeTemporaryFile(name: string, content: string, mode = 0o644): Promise<string> {
    if (!/^[\w.-]+$/.test(name) || /^\.+$/.test(name)) throw new Error(`"${name}" is not a valid file name`)
    const path = join(this.layout.temporary, name)
    await setAside(path, this.layout.aside)
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

  async readMarks(signal: AbortSignal): Promise<CreatedFile[]> {
    return await readCreatedFiles(this.layout.marks, signal)
  }

  async selectFiles(selection: FileSelection, signal: AbortSignal): Promise<SelectedFiles> {
    return await this.files.select(selection, signal)
  }

  zip(files: SelectedFiles, level: CompressionLevel, signal: AbortSignal, added: AddedFile[] = []): Readable {
    return this.files.zip(files, level, signal, added)
  }

  gzip(files: SelectedFiles, level: CompressionLevel, signal: AbortSignal): Readable {
    return this.files.gzip(files, level, signal)
  }

  async openFile(name: string, signal: AbortSignal): Promise<OpenFile> {
    return await this.files.open(name, signal)
  }

  async readSmallFile(name: string, maximumBytes: number, signal: AbortSignal): Promise<SmallFile> {
    return await readSmallFile(this, name, maximumBytes, signal)
  }

  async contentDigest(files: SelectedFiles, signal: AbortSignal): Promise<string> {
    return await this.files.contentDigest(files, signal)
  }

  async extractZip(zipFile: string, signal: AbortSignal): Promise<Extraction> {
    const extraction = await extractZip(zipFile, this.layout.workTree, signal)
    if (this.layout.owner) await cleanTree(this.layout.workTree, this.layout.owner, signal)
    return extraction
  }

  async close(): Promise<void> {
    await setAsideFilesOfJob(this.layout)
  }

  async maintain(): Promise<void> {
    await removeSetAside(this.layout.aside)
    await this.homes.work(this.layout.home, () => packRepositories(this.layout))
  }
}

/** Like files of the job, but a user of the image who is not their owner can write there too: nothing else can be done with it. */
async function createMarks({ marks, owner, isOwnerKnown }: WorkspaceLayout): Promise<void> {
  await mkdir(marks, { recursive: true })
  if (owner) await lchown(marks, owner.uid, owner.gid)
  await chmod(marks, isOwnerKnown ? 0o700 : 0o777)
}

/** The directories that the user of the job owns. */
function directoriesOfJob({ workTree, temporary, output }: WorkspaceLayout): string[] {
  return [workTree, temporary, ...(output === undefined ? [] : [output])]
}

/** Moves away what belongs to one job only. */
async function setAsideFilesOfJob({ temporary, output, aside }: WorkspaceLayout): Promise<void> {
  await setAside(temporary, aside)
  if (output !== undefined) await setAside(output, aside)
}
