import type { Readable } from 'node:stream'

import type { OpenFile } from '../../archive/tree-inputs.js'
import { SwitchyardError } from '../../lib/errors.js'
import type { GitInfo } from '../../protocol/job-payload.js'
import type { JobLog } from '../trace/job-log.js'
import type { SourceSettings } from './git-flags.js'
import type { ContainerFiles, Mount, OutputDirectory } from './job-files.js'

/** Numeric IDs of the owner of files. */
export interface FileOwner {
  uid: number
  gid: number
}

/** The paths of a job's files as the job sees them. */
export interface JobPaths {
  /** `CI_BUILDS_DIR` */
  buildsDir: string
  /** `CI_PROJECT_DIR` */
  projectDir: string
  /** `<projectDir>.tmp`, for scripts and file variables. */
  temporaryDir: string
}

export interface WorkspaceRequest {
  projectId: number
  /** `group/project`, from the clone URL. */
  projectPath: string
  /** Distinguishes concurrent jobs of one project, which never share a workspace. */
  concurrentProjectId: number
  /** Jobs of protected refs never share a workspace with others (architecture, decision 11). */
  isProtected: boolean
  /** The user of the job's image. The runner makes it the owner of the files if it can. */
  owner?: FileOwner | undefined
  /**
   * Copies files into the container and out of it. Undefined if the container mounts directories of this machine.
   */
  files?: ContainerFiles | undefined
  /** Clone URL with credentials. Git in the job gets those for its server. Undefined if there are none. */
  repositoryUrl?: string | undefined
  /** Root of all project directories as the job sees it (`builds_dir`). `/builds` if undefined. */
  buildsDir?: string
  /** The project directory as the job sees it, below `buildsDir`, if it does not follow `projectPath`. */
  projectDir?: string
  /**
   * Whether the job uses a separate, empty directory, so that the sources of other jobs are kept (runner protocol,
   * 7.4).
   */
  isEmpty?: boolean
  /** Number of cores that may compress files of the job. Undefined means all. */
  cores?: number | undefined
}

/** Opens workspaces of one kind. The caller cannot tell which. */
export interface WorkspaceProvider {
  /** The paths that `open` will return for the job. Creates nothing. */
  locate(request: WorkspaceRequest): JobPaths
  open(request: WorkspaceRequest): Promise<Workspace>
  /** Like `open`, for a job that an earlier process began. Keeps its temporary directory. */
  reopen(request: WorkspaceRequest): Promise<Workspace>
}

/**
 * The files of one job, as far as its runner needs them, wherever they are. Files of a job are never followed or run:
 * links stay links, and names are checked. Nothing may be called while a script of the job runs. Whatever a job leaves,
 * every read ends with its signal, and at a bound.
 */
export interface JobWorkspace extends Readonly<JobPaths> {
  /** Empty if the container mounts no directory of this machine. */
  readonly mounts: Mount[]
  /** Not part of `mounts`. Undefined for a workspace that is not in directories of this machine. */
  readonly output?: OutputDirectory | undefined
  /** Environment variables for git in the job: it trusts the work tree, and has the token for its server. */
  readonly environment: Record<string, string>

  /**
   * Checks out `source.sha`. Throws `SourcesError` with the message of git. May be called again after a failure,
   * and after the runner was killed during the call.
   */
  prepareSources(source: SourceRequest, log: JobLog, signal: AbortSignal): Promise<void>
  /** Empties the project directory (`clear_worktree`; runner protocol, 7.1). */
  clear(signal: AbortSignal): Promise<void>
  /** Writes a file into the temporary directory and returns its path in the job. */
  writeTemporaryFile(name: string, content: string, mode?: number): Promise<string>
  /**
   * Files that the scripts of the job created in the directory `MARKS_DIRECTORY` of its temporary directory. At most
   * `MAX_MARKS`.
   */
  readMarks(signal: AbortSignal): Promise<CreatedFile[]>
  /** Reads a regular file below the project directory, without following links. */
  readSmallFile(name: string, maximumBytes: number, signal: AbortSignal): Promise<SmallFile>
  /** Removes the temporary directory. The work tree stays for the next job. May be called twice. */
  close(): Promise<void>
  /**
   * Limits the space that the runner uses for the next job. Takes at most two minutes occasionally, and no time
   * usually. Call it after `close`, when no container of the job is left. Killing the runner during the call does
   * no harm.
   */
  maintain(): Promise<void>
}

/** A workspace in this process: its files can be packed and unpacked. */
export interface Workspace extends JobWorkspace {
  /**
   * Finds the files below the project directory that an artifact selects. Throws `TooManyFilesError` if there are more
   * than an archive may hold.
   */
  selectFiles(selection: FileSelection, signal: AbortSignal): Promise<SelectedFiles>
  /**
   * A zip of `files` and the `added` files. Each call creates it again, with the same bytes for the same files.
   * Errors are emitted by the stream: `TooManyBytesError` if the files have more bytes than an archive may hold.
   */
  zip(files: SelectedFiles, level: CompressionLevel, signal: AbortSignal, added?: AddedFile[]): Readable
  /**
   * The regular files among `files`, each as a gzip member (runner protocol, 5.4). Errors are emitted by the
   * stream.
   */
  gzip(files: SelectedFiles, level: CompressionLevel, signal: AbortSignal): Readable
  /**
   * Opens a regular file below the project directory without following links. Throws `NotAFileError` for anything
   * else. Reading it ends with `signal`.
   */
  openFile(name: string, signal: AbortSignal): Promise<OpenFile>
  /**
   * Digest of the content of a zip of `files`, without timestamps (see `digestOfFiles`). Absent for a kind of
   * workspace that cannot compute it without creating the zip.
   */
  contentDigest?(files: SelectedFiles, signal: AbortSignal): Promise<string>
  /**
   * Unpacks a zip file of the host into the project directory. Throws `UnsafeArchiveError` for hostile names.
   * Links are created as they are stored. `refused` lists devices and the like, which are skipped.
   */
  extractZip(zipFile: string, signal: AbortSignal): Promise<{ entries: number; refused: string[] }>
}

export interface SourceRequest {
  git: GitInfo
  /** Git directory on this machine to fetch from, instead of the URL in `git`. */
  repository?: string | undefined
  /**
   * `clone` starts from scratch, `fetch` from the files of the last job, `none` and `empty` run no git (runner
   * protocol, 7.9).
   */
  strategy: 'clone' | 'fetch' | 'none' | 'empty'
  /** The `User-Agent` header. */
  userAgent: string
  /** `DEFAULT_SOURCE_SETTINGS` if undefined. */
  settings?: SourceSettings
}

/** More marks of a job are not read. */
export const MAX_MARKS = 20_000

export interface CreatedFile {
  name: string
  /** Time of its creation, in milliseconds since 1970. From an engine that shares no files, in whole seconds. */
  createdAt: number
}

/** `missing`: there is no regular file with this name. */
export type SmallFile = { kind: 'content'; content: Buffer } | { kind: 'missing' } | { kind: 'too-large' }

export interface FileSelection {
  /** Doublestar globs relative to the project directory, with variables expanded (runner protocol, 5.4). */
  paths: string[]
  exclude: string[]
  untracked: boolean
}

export interface SelectedFiles {
  /** Relative names with `/`, sorted. Directories end in `/`. */
  names: string[]
  /**
   * Number of names that each pattern selected, in the order of the patterns. `untracked` is last, if it was
   * requested.
   */
  matches: { pattern: string; count: number }[]
  /** Patterns that lead outside the project directory. */
  refused: string[]
  /** Names that an archive cannot contain: sockets, pipes, devices, and names with a backslash or invalid UTF-8. */
  skipped: string[]
}

/** A file that is part of an archive although it is not in the project directory. */
export interface AddedFile {
  name: string
  content: Buffer
  modified: Date
}

/** `ARTIFACT_COMPRESSION_LEVEL` (runner protocol, 5.4). */
export type CompressionLevel = 'fastest' | 'fast' | 'default' | 'slow' | 'slowest'

/** The sources of a job could not be prepared. `message` is the last message of git. */
export class SourcesError extends SwitchyardError {
  readonly name = 'SourcesError'
  readonly code = 'SOURCES_FAILED'

  constructor(
    message: string,
    /** The exit code of git. Undefined if something other than git failed. */
    readonly exitCode: number | undefined,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
