import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir } from 'node:fs/promises'
import { join, posix } from 'node:path'
import type { Readable } from 'node:stream'

import { type Extraction, extractZip } from '../../archive/extract-zip.js'
import { type TarItem, writeTar } from '../../archive/tar-writer.js'
import type { OpenFile } from '../../archive/tree-inputs.js'
import { MINUTE } from '../../lib/time-units.js'
import type { JobLog } from '../trace/job-log.js'
import { HostFiles } from './archive-host-files.js'
import { createdFilesOf } from './created-files.js'
import { DrainedFiles } from './drained-files.js'
import { DEFAULT_SOURCE_SETTINGS } from './git-flags.js'
import { gitEnvironmentOfJob } from './job-credentials.js'
import type { ContainerFiles, Mount } from './job-files.js'
import { MARKS_DIRECTORY, type WorkspaceLayout, workspaceLayout } from './layout.js'
import { neededNames } from './needed-names.js'
import { packRepositories } from './pack-repositories.js'
import { emptyWorkTree, prepareSources } from './prepare-sources.js'
import { type QuietHomes } from './quiet-homes.js'
import { readSmallFile } from './read-small-file.js'
import { removeTree } from './remove-tree.js'
import type {
  AddedFile,
  CompressionLevel,
  CreatedFile,
  FileOwner,
  FileSelection,
  SelectedFiles,
  SmallFile,
  SourceRequest,
  Workspace,
  WorkspaceRequest,
} from './workspace.js'

/** Maximum milliseconds for emptying the work tree. */
const CLEARING_LIMIT = 10 * MINUTE

interface VolumeWorkspaceParts {
  layout: WorkspaceLayout
  homes: QuietHomes
  files: ContainerFiles
  /** The owner of the files in the volume, which the runner can set without being root. Undefined if unknown. */
  owner: FileOwner | undefined
  /** Number of cores that may compress files of the job. Undefined means all. */
  cores: number | undefined
  repositoryUrl: string | undefined
  /** Whether the volume does not contain any files of this job yet that must be kept. */
  isNew: boolean
}

/** Opens a workspace in a volume that is filled and read through `files`. */
export async function openVolumeWorkspace(
  root: string,
  request: WorkspaceRequest,
  files: ContainerFiles,
  homes: QuietHomes,
  isNew: boolean,
): Promise<Workspace> {
  const layout = workspaceLayout(root, request)
  await mkdir(root, { recursive: true })
  await chmod(root, 0o700)
  await removeTree(layout.temporary)
  const directories = [join(layout.gitDir, 'objects'), layout.modulesDir, layout.workTree, layout.temporary]
  for (const directory of directories) await mkdir(directory, { recursive: true })
  return new VolumeWorkspace({
    layout,
    homes,
    files,
    owner: request.owner,
    cores: request.cores,
    repositoryUrl: request.repositoryUrl,
    isNew,
  })
}

/**
 * A workspace for an engine that does not share the runner's file system:
 *
 *     host: git, modules, work ──one tar──▶ volume of the job, at the parent of its project directory
 *     host: tmp/drained ◀──requested files── volume
 *
 * The sources are checked out on the host, in a directory that no job can access, and are sent as a whole with the
 * objects of their repository. Files of the job are copied back only if artifacts and caches request them, into a
 * directory that is removed with the job. So only artifacts and caches pass from job to job.
 */
class VolumeWorkspace implements Workspace {
  readonly buildsDir: string
  readonly projectDir: string
  readonly temporaryDir: string
  readonly mounts: Mount[]
  readonly environment: Record<string, string>
  private readonly parent: string
  private readonly drainedRoot: string
  private readonly drained: DrainedFiles
  private readonly hostFiles: HostFiles
  private isBegun = false

  constructor(private readonly parts: VolumeWorkspaceParts) {
    const { layout, files } = parts
    this.environment = gitEnvironmentOfJob(parts.repositoryUrl)
    this.buildsDir = layout.buildsDir
    this.projectDir = layout.projectDir
    this.temporaryDir = layout.temporaryDir
    this.parent = posix.dirname(layout.projectDir)
    this.mounts = [{ hostPath: undefined, containerPath: this.parent, readOnly: false }]
    this.drainedRoot = join(layout.temporary, 'drained')
    this.drained = new DrainedFiles(files, layout.projectDir, this.drainedRoot)
    this.hostFiles = new HostFiles(layout, this.drainedRoot, parts.cores)
  }

  async prepareSources(source: SourceRequest, log: JobLog, signal: AbortSignal): Promise<void> {
    const { layout, homes } = this.parts
    await homes.work(layout.home, () => prepareSources(layout, source, log, signal))
    if (source.strategy === 'none') return
    const { checkout, cleanFlags } = source.settings ?? DEFAULT_SOURCE_SETTINGS
    const isFetch = source.strategy === 'fetch'
    // Without cleaning, files that the hooks of a job created are kept.
    const isCleaned = !isFetch || (checkout && cleanFlags !== undefined)
    await this.put([...(await this.sourceItems(isCleaned))], signal)
  }

  async clear(signal: AbortSignal): Promise<void> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(CLEARING_LIMIT)])
    const { layout, homes } = this.parts
    await homes.work(layout.home, () => emptyWorkTree(layout, limit))
    await this.put(this.emptied(this.projectDir), limit)
  }

  /** Replaces an existing directory or file instead of writing to it. */
  async writeTemporaryFile(name: string, content: string, mode = 0o644): Promise<string> {
    if (!/^[\w.-]+$/.test(name) || /^\.+$/.test(name)) throw new Error(`"${name}" is not a valid file name`)
    const path = `${this.temporaryDir}/${name}`
    const readableMode = this.parts.owner ? mode : mode | 0o044
    await this.put([
      this.directory(this.temporaryDir),
      { ...this.named(path), kind: 'file', content, mode: readableMode },
    ])
    return path
  }

  async readMarks(signal: AbortSignal): Promise<CreatedFile[]> {
    const archive = await this.parts.files.get(this.temporaryDir, MARKS_DIRECTORY)
    return archive ? await createdFilesOf(archive, signal) : []
  }

  async selectFiles(selection: FileSelection, signal: AbortSignal): Promise<SelectedFiles> {
    await this.drained.fetch(neededNames(selection, this.projectDir), signal)
    return await this.hostFiles.select(selection, signal)
  }

  zip(files: SelectedFiles, level: CompressionLevel, signal: AbortSignal, added: AddedFile[] = []): Readable {
    return this.hostFiles.zip(files, level, signal, added)
  }

  gzip(files: SelectedFiles, level: CompressionLevel, signal: AbortSignal): Readable {
    return this.hostFiles.gzip(files, level, signal)
  }

  async openFile(name: string, signal: AbortSignal): Promise<OpenFile> {
    await this.drained.fetch([name], signal)
    return await this.hostFiles.open(name, signal)
  }

  async readSmallFile(name: string, maximumBytes: number, signal: AbortSignal): Promise<SmallFile> {
    return await readSmallFile(this, name, maximumBytes, signal)
  }

  async contentDigest(files: SelectedFiles, signal: AbortSignal): Promise<string> {
    return await this.hostFiles.contentDigest(files, signal)
  }

  async extractZip(zipFile: string, signal: AbortSignal): Promise<Extraction> {
    const directory = join(this.parts.layout.temporary, 'unpacked')
    await removeTree(directory)
    await mkdir(directory, { mode: 0o755 })
    const extraction = await extractZip(zipFile, directory, signal)
    await this.put([this.tree(this.projectDir, directory)], signal)
    await removeTree(directory)
    return extraction
  }

  /** The volume is removed with the container. */
  async close(): Promise<void> {
    await removeTree(this.parts.layout.temporary)
  }

  async maintain(): Promise<void> {
    const { layout, homes } = this.parts
    await homes.work(layout.home, () => packRepositories(layout))
  }

  /** The objects are placed where the job's repository looks for them. No user of a job owns them. */
  private async sourceItems(isCleaned: boolean): Promise<TarItem[]> {
    const { gitDir, modulesDir, workTree, objectsDir, moduleObjectsDir } = this.parts.layout
    const root = { uid: 0, gid: 0 }
    const modules = (await readdir(modulesDir)).filter((name) =>
      existsSync(join(modulesDir, name, 'objects')),
    )
    return [
      ...(isCleaned ? this.emptied(this.projectDir) : []),
      this.tree(this.projectDir, workTree),
      this.tree(objectsDir, join(gitDir, 'objects'), root),
      ...modules.flatMap((name) => [
        this.directory(moduleObjectsDir, root),
        this.directory(`${moduleObjectsDir}/${name}`, root),
        this.tree(`${moduleObjectsDir}/${name}/objects`, join(modulesDir, name, 'objects'), root),
      ]),
    ]
  }

  private async put(items: TarItem[], signal?: AbortSignal): Promise<void> {
    await this.parts.files.put(this.parent, writeTar([...this.beginning(), ...items]), signal)
    this.isBegun = true
    await this.drained.clear()
  }

  /** The directories that a job always has. Temporary files of an earlier attempt are removed. */
  private beginning(): TarItem[] {
    if (this.isBegun) return []
    const { isNew } = this.parts
    return [
      this.directory(this.projectDir),
      ...(isNew
        ? [...this.emptied(this.temporaryDir), this.marksDirectory()]
        : [this.directory(this.temporaryDir)]),
    ]
  }

  /** Unpacking a file at the path of a directory removes the directory with everything in it. */
  private emptied(path: string): TarItem[] {
    return [{ ...this.named(path), kind: 'file', content: '', mode: 0o600 }, this.directory(path)]
  }

  /** A user of the image who is not the owner of the files can write there too. */
  private marksDirectory(): TarItem {
    const path = `${this.temporaryDir}/${MARKS_DIRECTORY}`
    return { ...this.named(path), kind: 'directory', mode: this.parts.owner ? 0o700 : 0o777 }
  }

  private directory(path: string, owner?: FileOwner): TarItem {
    return { ...this.named(path, owner), kind: 'directory' }
  }

  private tree(path: string, root: string, owner?: FileOwner): TarItem {
    return { ...this.named(path, owner), kind: 'tree', root }
  }

  private named(path: string, owner: FileOwner = this.parts.owner ?? { uid: 0, gid: 0 }) {
    return { name: posix.relative(this.parent, path), owner }
  }
}
