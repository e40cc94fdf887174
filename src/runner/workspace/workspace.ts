import type { Readable } from 'node:stream'

import type { OpenFile } from '../../archive/tree-inputs.js'
import type { GitInfo } from '../../protocol/job-payload.js'
import type { JobLog } from '../trace/job-log.js'
import type { SourceSettings } from './source-settings.js'

/** A directory of the host that a container sees, or a volume. */
export interface Mount {
  /** Undefined: a volume of the job, which its environment makes, and removes in the end. */
  hostPath: string | undefined
  containerPath: string
  readOnly: boolean
}

/** Whom files belong to, in numbers. */
export interface FileOwner {
  uid: number
  gid: number
}

/**
 * The files of a job's container, while nothing runs in it: what way there is to them when the container sees no
 * directory of this machine. The container is made when it is first used. Throws an `ExecutorError` when the engine
 * breaks.
 */
export interface ContainerFiles {
  /** Unpacks a tar below `directory`. What is in the place of an entry and of another kind is removed, with all in it. */
  put(directory: string, archive: Readable, signal?: AbortSignal): Promise<void>
  /**
   * A tar of what is at `name` below `directory`, its entries called after the last component. No link below
   * `directory` is followed. Undefined when nothing is there.
   */
  get(directory: string, name: string): Promise<Readable | undefined>
}

/** Where a job finds its files. */
export interface JobPlace {
  /** `CI_BUILDS_DIR` */
  buildsDir: string
  /** `CI_PROJECT_DIR` */
  projectDir: string
  /** `<projectDir>.tmp`: scripts and file variables. */
  temporaryDir: string
}

export interface WorkspaceRequest {
  projectId: number
  /** `group/project`, out of the clone URL. */
  projectPath: string
  /** Distinguishes running jobs of one project: two of them never share a workspace. */
  concurrentProjectId: number
  /** Jobs of protected refs never share a workspace with others (architecture, decision 11). */
  isProtected: boolean
  /** The user that the job's image runs as: the files are made its own where the runner may do so. */
  owner?: FileOwner | undefined
  /** How files get into the container and out again; undefined when it sees directories of this machine. */
  files?: ContainerFiles | undefined
  /** Root of all project directories as the job sees it (`builds_dir`); `/builds` when undefined. */
  buildsDir?: string
  /** The project directory as the job sees it, below `buildsDir`, when it is not to follow `projectPath`. */
  projectDir?: string
  /**
   * A directory apart for jobs that want nothing in it, so that the sources of the others stay (runner protocol, 7.4).
   */
  isEmpty?: boolean
  /** That may compress what the job left; all when undefined. */
  cores?: number | undefined
}

/** Opens workspaces of one kind; the caller does not know which. */
export interface WorkspaceProvider {
  /** What `open` will answer as the place of the job; nothing is made. */
  place(request: WorkspaceRequest): JobPlace
  open(request: WorkspaceRequest): Promise<Workspace>
  /** Like `open`, for a job that an earlier process began: its temporary directory is left as it is. */
  reopen(request: WorkspaceRequest): Promise<Workspace>
}

/**
 * The files of one job, seen from outside its container. Nothing that a job left in here is ever followed or run:
 * links are kept as links, names are checked. Calls other than `mounts` are made while no container of the job runs.
 */
export interface Workspace extends Readonly<JobPlace> {
  readonly mounts: Mount[]
  /** What the job's environment needs beside its variables, which go over it: git's trust in the work tree. */
  readonly environment: Record<string, string>

  /**
   * Brings the work tree to `source.sha`. Throws `SourcesError` with git's own words. May be called again after it
   * failed, and after the runner was killed in the middle of it.
   */
  prepareSources(source: SourceRequest, log: JobLog, signal: AbortSignal): Promise<void>
  /** Empties the project directory (`clear_worktree`; runner protocol, 7.1). */
  clear(): Promise<void>
  /** Writes into the temporary directory; answers the path that the job sees. */
  writeTemporaryFile(name: string, content: string, mode?: number): Promise<string>
  /** Finds what an artifact's patterns stand for, below the project directory. */
  selectFiles(selection: FileSelection): Promise<SelectedFiles>
  /**
   * A zip of `files` and of what is `added` to them, made anew at each call: the same files give the same bytes. Errors
   * arrive through the stream.
   */
  zip(files: SelectedFiles, level: CompressionLevel, added?: AddedFile[]): Readable
  /** The regular files among `files`, each as a gzip member (runner protocol, 5.4). Errors arrive through the stream. */
  gzip(files: SelectedFiles, level: CompressionLevel): Readable
  /** A regular file below the project directory, no link followed. Throws `NotAFileError` for anything else. */
  openFile(name: string): Promise<OpenFile>
  /**
   * Digest of what a zip of `files` would hold, times left out (see `digestOfFiles`). A kind of workspace that cannot
   * tell without making the zip leaves it out.
   */
  contentDigest?(files: SelectedFiles, signal: AbortSignal): Promise<string>
  /**
   * Unpacks a zip file of the host over the project directory. Throws `UnsafeArchiveError` for hostile names.
   * `refused`: links that lead out of the directory and devices, which are left out.
   */
  extractZip(zipFile: string, signal: AbortSignal): Promise<{ entries: number; refused: string[] }>
  /** Removes the temporary directory; the work tree stays for the next job. May be called twice. */
  close(): Promise<void>
  /**
   * Keeps what the runner holds for the next job small: at most two minutes now and then, nothing most of the time.
   * After `close`, while no container of the job is left; a killed runner does no harm by it.
   */
  maintain(): Promise<void>
}

export interface SourceRequest {
  git: GitInfo
  /** Git directory of this machine that is fetched from in place of the address in `git`. */
  repository?: string | undefined
  /**
   * `clone` starts from nothing, `fetch` from what the last job left, `none` and `empty` run no git (runner protocol,
   * 7.9).
   */
  strategy: 'clone' | 'fetch' | 'none' | 'empty'
  /** For `User-Agent`. */
  userAgent: string
  /** `DEFAULT_SOURCE_SETTINGS` when undefined. */
  settings?: SourceSettings
}

export interface FileSelection {
  /** Doublestar globs relative to the project directory, variables expanded (runner protocol, 5.4). */
  paths: string[]
  exclude: string[]
  untracked: boolean
}

export interface SelectedFiles {
  /** Relative names with `/`, sorted; directories end in `/`. */
  names: string[]
  /** How many names each pattern brought, in the order of the patterns; `untracked` last when it was asked for. */
  matches: { pattern: string; count: number }[]
  /** Patterns that lead outside the project directory. */
  refused: string[]
  /** Names that an archive cannot hold: sockets, pipes, devices, names with a backslash or that are no UTF-8. */
  skipped: string[]
}

/** A file that is in an archive although it is not in the project directory. */
export interface AddedFile {
  name: string
  content: Buffer
  modified: Date
}

/** `ARTIFACT_COMPRESSION_LEVEL` (runner protocol, 5.4). */
export type CompressionLevel = 'fastest' | 'fast' | 'default' | 'slow' | 'slowest'
